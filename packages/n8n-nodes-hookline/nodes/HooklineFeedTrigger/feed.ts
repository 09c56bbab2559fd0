/** Reads the event feed from where the last poll ended. */
import { ask, type Json, type Send } from '../Hookline/calls';

/** What is kept from poll to poll. @property since events before this time (ISO 8601) are skipped */
export type Position = { after?: string; since?: string };

/** A poll ends here at the latest; the next one goes on. A key may ask 120 times a minute. */
const pagesPerPoll = 20;
const rowsPerPage = 100;

/**
 * Events of these types since `position`, oldest first, and the position after them.
 * @throws HooklineFailure
 */
export async function readFeed(
  send: Send,
  types: readonly string[],
  position: Position,
): Promise<{ events: Json[]; position: Position }> {
  const events: Json[] = [];
  const { since = '' } = position;
  let { after } = position;
  for (let pages = 0; pages < pagesPerPoll; pages += 1) {
    const query = { limit: rowsPerPage, ...(after === undefined ? {} : { after }) };
    const { data, nextCursor } = await ask(send, { method: 'GET', path: '/events', query, headers: {} });
    const rows = data as Json[];
    events.push(
      ...rows.filter(({ type, timestamp }) => types.includes(String(type)) && String(timestamp) >= since),
    );
    after = String(nextCursor);
    if (rows.length < rowsPerPage) break;
  }
  return { events, position: { ...position, ...(after === undefined ? {} : { after }) } };
}
