/** Reads the event feed from where the last poll ended. */
import { ask, HooklineFailure, type Json, type Request, type Send } from '../Hookline/calls';

/** What is kept from poll to poll. */
export type Position = { after?: string };

/** A poll ends here at the latest; the next one goes on. A key may ask 120 times a minute. */
const pagesPerPoll = 20;
const rowsPerPage = 100;

/**
 * Events of these types since the position `from`, oldest first, or without one those of the newest page; and the
 * position after them. A position that is refused is forgotten: its events are kept no longer, and every later poll
 * would fail like this one.
 * @throws HooklineFailure
 */
export async function readFeed(
  send: Send,
  types: readonly string[],
  from: Position,
): Promise<{ events: Json[]; position: Position }> {
  const { after } = from;
  const read = async (start: Json) => {
    const query = { limit: rowsPerPage, ...start };
    const request: Request = { method: 'GET', path: '/events', query, headers: {} };
    const { data, nextCursor } = await ask(send, request).catch((error: unknown) => {
      if (error instanceof HooklineFailure && error.status === 400) delete from.after;
      throw error;
    });
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
