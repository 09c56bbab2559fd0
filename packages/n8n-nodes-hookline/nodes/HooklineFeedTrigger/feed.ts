/** Reads the event feed from where the last poll ended. */
import { ask, type Json, type Send } from '../Hookline/calls';

/** What is kept from poll to poll. */
export type Position = { after?: string };

/** A poll ends here at the latest; the next one goes on. A key may ask 120 times a minute. */
const pagesPerPoll = 20;
const rowsPerPage = 100;

/**
 * Events of these types since `position`, oldest first, or without one those of the newest page; and the position after
 * them.
 * @throws HooklineFailure
 */
export async function readFeed(
  send: Send,
  types: readonly string[],
  { after }: Position,
): Promise<{ events: Json[]; position: Position }> {
  const read = async (from: Json) => {
    const query = { limit: rowsPerPage, ...from };
    const { data, nextCursor } = await ask(send, { method: 'GET', path: '/events', query, headers: {} });
    const rows = data as Json[];
    const chosen = rows.filter(({ type }) => types.includes(String(type)));
    return { chosen, isLast: rows.length < rowsPerPage, after: String(nextCursor) };
  };
  if (after === undefined) {
    const newest = await read({ order: 'newest' });
    return { events: newest.chosen.reverse(), position: { after: newest.after } };
  }
  const events: Json[] = [];
  let position: Position = { after };
  for (let pages = 0; pages < pagesPerPoll; pages += 1) {
    const page = await read({ ...position });
    events.push(...page.chosen);
    position = { after: page.after };
    if (page.isLast) break;
  }
  return { events, position };
}
