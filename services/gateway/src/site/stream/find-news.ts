import { feedStartMs, feedsMax, readFeeds } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import type { Logger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import type { z } from 'zod';
import { listOpenSessions } from '../../identity/sessions/queries.ts';
import { changesOfEvent } from './change.rules.ts';
import type { Position } from './position.ts';
import { changesMax, listChanges, listChangesHeads } from './queries.ts';
import type { ChangeRow } from './record.ts';
import type { Asked, News } from './streams.ts';

type NewsDeps = { db: Database; peers: ServiceClient; log: Logger; now: () => Date };

type Feed = z.infer<typeof readFeeds.response>['feeds'][number];

/**
 * Finds what is new for each stream, in at most four queries and one call, however many streams there are.
 */
export async function findNews(deps: NewsDeps, asked: readonly Asked[]): Promise<News[]> {
  const { db } = deps;
  const now = deps.now();
  const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
  const sessions = new Map(
    (await listOpenSessions(db, ids, now)).map(({ id, accountId }) => [id, accountId]),
  );
  // The heads are read first: a change in between is reported twice rather than never.
  const beginners = asked.filter(({ position }) => position.changes === null);
  const heads = await headsOfAccounts(db, beginners, new Date(now.getTime() - feedStartMs));
  const [feeds, changes] = await Promise.all([feedsOf(deps, asked), changesOf(deps, asked)]);
  return asked.map(({ sessionId, accountId, position }) => {
    const start = { feed: position.feed, changes: position.changes ?? heads.get(accountId) ?? 0 };
    const feed = feeds.get(keyOf(accountId, position.feed));
    const recorded = changes.get(keyOf(accountId, position.changes));
    return { isOpen: sessions.get(sessionId) === accountId, ...newsOf(start, feed, recorded) };
  });
}

function newsOf(
  start: Position,
  feed: Feed | undefined,
  { rows, skipTo }: Recorded = { rows: [], skipTo: null },
): Omit<News, 'isOpen'> {
  if (skipTo !== null) {
    return { isGap: true, position: { feed: feed?.head ?? start.feed, changes: skipTo }, changes: [] };
  }
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
async function feedsOf(
  { peers, log }: NewsDeps,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, Feed>> {
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

async function headsOfAccounts(
  db: Database,
  of: readonly Pick<Asked, 'accountId'>[],
  until: Date,
): Promise<ReadonlyMap<string, number>> {
  if (of.length === 0) return new Map();
  const rows = await listChangesHeads(db, [...new Set(of.map(({ accountId }) => accountId))], until);
  return new Map(rows.map(({ accountId, head }) => [accountId, head]));
}

type Recorded = {
  rows: readonly ChangeRow[];
  /**
   * The newest position, where the rows may not be all: whoever is that far behind reads everything again.
   */
  skipTo: number | null;
};

/** Keyed by account and position, so that a stream that is far behind delays no other of its workspace. */
async function changesOf(
  { db, now }: NewsDeps,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, Recorded>> {
  const wanted = new Map(
    asked.flatMap(({ accountId, position: { changes } }) =>
      changes === null ? [] : [[keyOf(accountId, changes), { accountId, after: changes }]],
    ),
  );
  if (wanted.size === 0) return new Map();
  const rows = await listChanges(db, [...wanted.values()]);
  const found = Map.groupBy(rows, ({ accountId, after }) => keyOf(accountId, after));
  const far = [...found].filter(([, some]) => some.length >= changesMax);
  const heads = await headsOfAccounts(
    db,
    far.flatMap(([key]) => wanted.get(key) ?? []),
    now(),
  );
  return new Map(
    [...found].map(([key, some]) => {
      const isFar = some.length >= changesMax;
      const last = some.at(-1);
      return [
        key,
        { rows: some, skipTo: isFar && last ? (heads.get(last.accountId) ?? last.position) : null },
      ];
    }),
  );
}
