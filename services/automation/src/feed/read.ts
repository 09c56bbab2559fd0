import { createPositionCursor, invalidRequest } from '@hookline/shared/contracts';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { AutomationDeps } from '../deps.ts';
import { findFeedBounds, listFeedEvents, listNewestFeedEvents } from './queries.ts';
import type { FeedEventRow } from './record.ts';

const feedCursor = createPositionCursor('feed', 'feed');

const limitDefault = 100;

type FeedQuery = Parameters<typeof feedCursor.start>[0] & { limit?: number | undefined };

export type FeedPage = {
  rows: readonly FeedEventRow[];
  nextCursor: string;
  /** Only a page read newest first has one. */
  previousCursor?: string | null;
};

/** Reads a page oldest first, after a cursor or from the oldest event kept, or newest first. */
export async function readFeed(
  deps: Pick<AutomationDeps, 'db' | 'now' | 'retentionDays'>,
  accountId: string,
  query: FeedQuery,
): Promise<FeedPage> {
  const { limit = limitDefault } = query;
  const start = feedCursor.start(query);
  if ('before' in start) {
    const found = await listNewestFeedEvents(deps.db, accountId, {
      before: start.before,
      limit: limit + 1,
    });
    const page = feedCursor.newestPage(found, limit, start.before);
    const since = keptSince(deps);
    const [newest] = found;
    if (query.before !== undefined || (newest && newest.createdAt >= since)) return page;
    // Later events were removed: a poller goes on where the next one will be.
    const { firstKept } = await findFeedBounds(deps.db, accountId, since);
    return { ...page, nextCursor: feedCursor.encode(firstKept - 1) };
  }
  const { rows, position } = await readForward(deps, accountId, { cursor: query.after, limit });
  return { rows, nextCursor: feedCursor.encode(position) };
}

/**
 * A poller that was away for longer than events are kept, or that has the cursor of another workspace, gets an error,
 * because it must not conclude that nothing happened.
 */
async function readForward(
  deps: Pick<AutomationDeps, 'db' | 'now' | 'retentionDays'>,
  accountId: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: FeedEventRow[]; position: number }> {
  const after = cursor === undefined ? 0 : feedCursor.decode(cursor);
  const since = keptSince(deps);
  const rows = await listFeedEvents(deps.db, accountId, { after, limit, since });
  const position = rows.at(-1)?.position ?? after;
  // Positions have no gaps: if the next one exists, nothing was removed.
  if (rows[0]?.position === after + 1) return { rows, position };
  const { firstKept, head } = await findFeedBounds(deps.db, accountId, since);
  if (after > head) throw invalidRequest('after must be a nextCursor that this feed returned');
  if (firstKept <= after + 1) return { rows, position };
  if (cursor === undefined) return { rows, position: Math.max(position, firstKept - 1) };
  throw invalidRequest(
    `after must not be older than the ${deps.retentionDays} days that events are kept: some behind it were removed; leave it out to read on from the oldest event kept`,
  );
}

/** Older events may be left, each for a delivery that is not over, with gaps between them. */
function keptSince({ now, retentionDays }: Pick<AutomationDeps, 'now' | 'retentionDays'>): Date {
  return new Date(now().getTime() - retentionDays * dayMs);
}
