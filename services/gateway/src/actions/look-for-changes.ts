import { feedsMax, readFeeds } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import type { Logger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import type { z } from 'zod';
import type { Position } from '../live/position.ts';
import type { Asked, News } from '../live/streams.ts';
import { listChanges, listChangesHeads } from '../queries/changes.ts';
import { listOpenSessions } from '../queries/sessions.ts';
import type { ChangeRow } from '../records/change.ts';
import { changesOfEvent } from '../rules/change-of.ts';

type Looking = { db: Database; peers: ServiceClient; log: Logger; now: () => Date };

type Feed = z.infer<typeof readFeeds.response>['feeds'][number];

/** Finds what is new for each stream, in two queries and one call, however many streams there are. */
export async function lookForChanges(looking: Looking, asked: readonly Asked[]): Promise<News[]> {
  const { db, now } = looking;
  const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
  const sessions = new Map(
    (await listOpenSessions(db, ids, now())).map(({ id, accountId }) => [id, accountId]),
  );
  // Before the changes are read: one that is written in between is reported twice rather than never.
  const heads = await headsOf(db, asked);
  const [feeds, changes] = await Promise.all([feedsOf(looking, asked), changesOf(looking, asked)]);
  return asked.map(({ sessionId, accountId, position }) => {
    const start = { feed: position.feed, changes: position.changes ?? heads.get(accountId) ?? 0 };
    const feed = feeds.get(keyOf(accountId, position.feed));
    const rows = (changes.get(accountId) ?? []).filter(row => row.position > start.changes);
    return { isOpen: sessions.get(sessionId) === accountId, ...newsOf(start, feed, rows) };
  });
}

function newsOf(start: Position, feed: Feed | undefined, rows: readonly ChangeRow[]): Omit<News, 'isOpen'> {
  let position = start;
  const changes: News['changes'] = [];
  for (const { kind, resourceId, position: at } of rows) {
    position = { ...position, changes: at };
    changes.push({ change: { kind, id: resourceId || null }, position });
  }
  // The feed does not answer: its part of the position stays.
  if (!feed) return { isGap: false, position, changes };
  if (start.feed === null || feed.isGap) {
    return { isGap: feed.isGap, position: { ...position, feed: feed.head }, changes };
  }
  for (const event of feed.events) {
    position = { ...position, feed: event.position };
    for (const change of changesOfEvent(event)) changes.push({ change, position });
  }
  return { isGap: false, position, changes };
}

const keyOf = (accountId: string, after: number | null): string => `${accountId} ${after}`;

/** The news of each feed by account and position; empty while the automation service is away. */
async function feedsOf({ peers, log }: Looking, asked: readonly Asked[]): Promise<ReadonlyMap<string, Feed>> {
  const wanted = new Map(
    asked.map(({ accountId, position: { feed } }) => [keyOf(accountId, feed), { accountId, after: feed }]),
  );
  const found = new Map<string, Feed>();
  const all = [...wanted];
  try {
    for (let from = 0; from < all.length; from += feedsMax) {
      const some = all.slice(from, from + feedsMax);
      const answer = await peers.call(readFeeds, { body: { feeds: some.map(([, feed]) => feed) } });
      for (const [index, [key]] of some.entries()) {
        const feed = answer.feeds[index];
        if (feed) found.set(key, feed);
      }
    }
  } catch (error) {
    log.debug({ err: error }, 'the feeds could not be read');
  }
  return found;
}

/** Where streams begin that have no position yet. */
async function headsOf(db: Database, asked: readonly Asked[]): Promise<ReadonlyMap<string, number>> {
  const beginners = asked.filter(({ position }) => position.changes === null);
  if (beginners.length === 0) return new Map();
  const accountIds = [...new Set(beginners.map(({ accountId }) => accountId))];
  const rows = await listChangesHeads(db, accountIds);
  return new Map(rows.map(({ accountId, head }) => [accountId, head]));
}

async function changesOf(
  { db }: Looking,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, ChangeRow[]>> {
  // From the stream of each account that is furthest behind.
  const after = new Map<string, number>();
  for (const { accountId, position } of asked) {
    if (position.changes === null) continue;
    after.set(accountId, Math.min(after.get(accountId) ?? position.changes, position.changes));
  }
  if (after.size === 0) return new Map();
  const rows = await listChanges(
    db,
    [...after].map(([accountId, position]) => ({ accountId, after: position })),
  );
  return Map.groupBy(rows, ({ accountId }) => accountId);
}
