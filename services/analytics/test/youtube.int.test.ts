import { dayMs, hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { deleteRows } from '@hookline/shared/leaving';
import { openDatabase, toSql } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimInstagram, claimYoutube } from '../src/collecting/queries.ts';
import { settleClaims } from '../src/collecting/settle.ts';
import { deletionSteps } from '../src/upkeep/queries.ts';
import { freshId, type Json, measured, session, startWorld } from './world.ts';

const world = perSuite(startWorld);

// Each test has its own time: the limits of earlier tests are open again and none of their posts is due.
beforeEach(async () => {
  await world.service.db.query('delete from api_limits');
  await world.service.db.query(`update collections set next_at = 'infinity'`);
  await world.control('PUT', 'youtube/client', {
    hasBatchGetStats: true,
    callsPerMinuteMax: null,
    unitsPerDay: { batch_get_stats: 10_000, videos_list: 10_000 },
  });
  await world.setFaults();
});

const setFault = (operation: string, kind: string, more: object = {}) =>
  world.setFaults({ platform: 'youtube', operation, kind, ...more });

/** Registers posts with these ids, each in a video named after it. */
async function registerAll(ids: readonly string[], videos: Json = {}): Promise<ReturnType<typeof session>> {
  const caller = session();
  for (const id of ids) {
    await world.put('youtube', id, {
      views: 10,
      likes: 2,
      comments: 1,
      publishedAt: world.now().toISOString(),
      ...videos[id],
    });
    await world.register(caller, { videoId: id, platformPostId: id });
  }
  return caller;
}

const totalsOf = async (caller: ReturnType<typeof session>): Promise<Json> =>
  (await world.summary(caller, 365)).totals;

function operationsFor(calls: Json[]): string[] {
  return calls.map(call => call.operation);
}

describe('the numbers of YouTube posts', () => {
  it('come by batchGetStats, counts read from texts, hidden ones null and zero in sums', async () => {
    const id = freshId();
    const caller = await registerAll([id], { [id]: { views: 9_007_199_254_740, likes: null, comments: 0 } });
    await measured(world, caller, id, { views: 9_007_199_254_740, likes: null, comments: 0 });
    expect((await totalsOf(caller)).likes).toBe(0);
    expect(operationsFor(await world.callsFor(id))).toEqual(['batch_get_stats']);
  });

  it('come in batches of 50, one call for a video of several accounts', async () => {
    const ids = Array.from({ length: 60 }, () => freshId());
    // Held back until all are registered, so that they are due together.
    await world.service.db.query(
      `insert into api_limits (credential, bucket, paused_until)
       select $1, bucket, 'infinity' from unnest(array['batch_get_stats', 'videos_list']) bucket
       on conflict (credential, bucket) do update set paused_until = excluded.paused_until`,
      [await credential()],
    );
    const callers = [await registerAll(ids), session()];
    for (const id of ids.slice(0, 5)) await world.register(callers[1]!, { videoId: id, platformPostId: id });
    await world.service.db.query('delete from api_limits');
    await eventually(async () => expect((await totalsOf(callers[0]!)).views).toBe(600), 10_000);
    await eventually(async () => expect((await totalsOf(callers[1]!)).views).toBe(50), 10_000);
    const calls = ((await world.control('GET', 'metric-calls')) as Json[]).filter(call =>
      call.ids.some((id: string) => ids.includes(id)),
    );
    expect(calls.length).toBeLessThanOrEqual(3);
    for (const call of calls) {
      expect(call.ids.length).toBeLessThanOrEqual(50);
      expect(new Set(call.ids).size).toBe(call.ids.length);
    }
  });

  it('that the database refuses postpone their own post, and the others of the batch are written', async () => {
    await world.service.db.query(
      `insert into api_limits (credential, bucket, paused_until)
       select $1, bucket, 'infinity' from unnest(array['batch_get_stats', 'videos_list']) bucket
       on conflict (credential, bucket) do update set paused_until = excluded.paused_until`,
      [await credential()],
    );
    const ids = Array.from({ length: 12 }, () => freshId());
    const caller = await registerAll(ids);
    const [bad] = await world.service.db.query<{ id: string }>(
      'select id from published_posts where platform_post_id = $1',
      [ids[4]],
    );
    const { database, log, db } = world.service;
    const admin = openDatabase({ url: database.url, connectionsMax: 1, name: 'test', log });
    await admin.query(
      `alter table analytics.post_days add constraint refused check (post_id <> '${bad!.id}')`,
    );
    await db.query('delete from api_limits');
    await eventually(async () => expect((await totalsOf(caller)).views).toBe(110), 20_000);
    await eventually(async () => {
      const [row] = await db.query<Json>(
        'select failures, next_at > $2 as waits from collections where post_id = $1',
        [bad!.id, world.now()],
      );
      expect(row).toEqual({ failures: 1, waits: true });
    }, 20_000);
    await admin.query('alter table analytics.post_days drop constraint refused');
    await admin.close();
  }, 60_000);

  it('are asked for again when the interval of the age has passed, and never before', async () => {
    const id = freshId();
    const caller = session();
    await world.put('youtube', id, { views: 1 });
    await world.register(caller, { videoId: id, platformPostId: id, publishedAt: world.now().toISOString() });
    const marker = async (): Promise<void> => {
      const other = freshId();
      await measured(world, await registerAll([other]), other, { views: 10 });
    };
    await measured(world, caller, id, { views: 1 });
    await world.put('youtube', id, { views: 2 });
    world.advance(15 * minuteMs - 1);
    await marker();
    expect(await world.callsFor(id)).toHaveLength(1);
    world.advance(75_000 + 1);
    await measured(world, caller, id, { views: 2 });
    world.advance(30 * dayMs);
    await measured(world, caller, id, { collectedAt: world.now().toISOString() });
    world.advance(3 * dayMs - 1);
    await marker();
    expect(await world.callsFor(id)).toHaveLength(3);
    world.advance(6 * hourMs + 1);
    await eventually(async () => expect(await world.callsFor(id)).toHaveLength(4));
  });
});

describe('posts that cannot be read', () => {
  it('a deleted one keeps its last numbers, is read again more and more seldom, and may come back', async () => {
    const id = freshId();
    const caller = await registerAll([id]);
    await measured(world, caller, id, { views: 10 });
    await world.put('youtube', id, { views: 99, removed: true });
    world.advance(dayMs);
    await eventually(async () => expect(await missesOf(id)).toBe(1));
    expect(await totalsOf(caller)).toMatchObject({ views: 10, posts: 1 });
    await world.put('youtube', id, { views: 12 });
    world.advance(dayMs);
    await measured(world, caller, id, { views: 12 });
    expect(await missesOf(id)).toBe(0);
  });

  it('one bad id affects no other: the rest of its batch get their numbers', async () => {
    const ids = Array.from({ length: 40 }, () => freshId());
    const bad = ids[17] as string;
    const caller = await registerAll(ids, { [bad]: { refused: true } });
    await eventually(
      async () => expect(await totalsOf(caller)).toMatchObject({ views: 390, posts: 40 }),
      10_000,
    );
    await eventually(async () => expect(await missesOf(bad)).toBeGreaterThan(0));
  });

  it('half an answer: the rest is asked for again', async () => {
    await setFault('batch_get_stats', 'partial', { times: 1 });
    const ids = Array.from({ length: 6 }, () => freshId());
    const caller = await registerAll(ids);
    await eventually(async () => {
      if ((await totalsOf(caller)).views !== 60) {
        world.advance(hourMs);
        throw new Error('not all yet');
      }
    }, 10_000);
  });
});

describe('limits and faults of YouTube', () => {
  it.each([
    [
      'its quota is used up',
      () => world.control('PUT', 'youtube/client', { unitsPerDay: { batch_get_stats: 0 } }),
    ],
    ['it does not exist', () => world.control('PUT', 'youtube/client', { hasBatchGetStats: false })],
    ['it answers 500', () => setFault('batch_get_stats', 'backendError')],
    ['it answers 429', () => setFault('batch_get_stats', 'rateLimitExceeded')],
    ['it answers nothing', () => setFault('batch_get_stats', 'connection_dropped')],
    ['it answers no JSON', () => setFault('batch_get_stats', 'garbage')],
    ['its answer is too long', () => setFault('batch_get_stats', 'oversize')],
    ['it redirects', () => setFault('batch_get_stats', 'redirect')],
  ])('videos.list is asked when batchGetStats cannot be: %s', async (_what, breakIt) => {
    await breakIt();
    const id = freshId();
    const caller = await registerAll([id]);
    await measured(world, caller, id, { views: 10 });
    expect(operationsFor(await world.callsFor(id))).toEqual(['batch_get_stats', 'videos_list']);
    const other = freshId();
    await measured(world, await registerAll([other]), other, { views: 10 });
    // The call rests, so the second post is not read with it.
    expect(operationsFor(await world.callsFor(other))).toEqual(['videos_list']);
  });

  it('both quotas used up: no calls until midnight Pacific, and calls again afterwards', async () => {
    await world.control('PUT', 'youtube/client', { unitsPerDay: { batch_get_stats: 0, videos_list: 0 } });
    const id = freshId();
    const caller = await registerAll([id]);
    await eventually(async () => expect(await world.callsFor(id)).toHaveLength(2));
    await world.control('PUT', 'youtube/client', {
      unitsPerDay: { batch_get_stats: 10_000, videos_list: 10_000 },
    });
    await eventually(async () => expect(await pauses()).toHaveLength(2));
    const resting = await pauses();
    const midnight = new Date(resting[0]!);
    expect(midnight.toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles' })).toBe('00:00:00');
    world.advance(midnight.getTime() - world.now().getTime() - 1);
    await registerAll([freshId()]);
    world.advance(1);
    await measured(world, caller, id, { views: 10 });
    const calls = await world.callsFor(id);
    expect(calls.map(call => call.at).slice(2)).toEqual([midnight.toISOString()]);
  });

  it('spends no more units a day than the operator grants', async () => {
    const mine = await startWorld({ env: { YOUTUBE_DAILY_UNITS: '2' } });
    try {
      const caller = session();
      for (const id of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) {
        await mine.put('youtube', id, { views: 1 });
        await mine.register(caller, { videoId: id, platformPostId: id });
        const spent = (await mine.control('GET', 'youtube/client')).spentToday;
        if (spent.batch_get_stats + spent.videos_list < 4) await measured(mine, caller, id, { views: 1 });
      }
      expect((await mine.control('GET', 'youtube/client')).spentToday).toEqual({
        batch_get_stats: 2,
        videos_list: 2,
      });
      mine.advance(dayMs);
      await eventually(async () => expect((await mine.summary(caller)).totals.views).toBe(6), 10_000);
    } finally {
      await mine.stop();
    }
  });

  it('a refused key rests for ten minutes and loses nothing', async () => {
    await world.setFaults(
      { platform: 'youtube', operation: 'batch_get_stats', kind: 'keyInvalid' },
      { platform: 'youtube', operation: 'videos_list', kind: 'keyInvalid' },
    );
    const id = freshId();
    const caller = await registerAll([id]);
    await eventually(async () => expect(await pauses()).toHaveLength(2));
    await world.setFaults();
    expect((await world.video(caller, id)).posts[0].views).toBeNull();
    world.advance(10 * minuteMs);
    await measured(world, caller, id, { views: 10 });
  });

  it('the key is not stored with its spent units', async () => {
    const rows = await world.service.db.query<{ credential: string }>('select credential from api_limits');
    for (const { credential: name } of rows) expect(name).not.toContain(world.env.YOUTUBE_API_KEY);
  });

  it('while the platform is away it asks less and less often, and recovers', async () => {
    await world.setFaults(
      { platform: 'youtube', operation: 'batch_get_stats', kind: 'connection_dropped' },
      { platform: 'youtube', operation: 'videos_list', kind: 'connection_dropped' },
    );
    const ids: string[] = [];
    const caller = session();
    const waitsMs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const id = freshId();
      ids.push(id);
      await world.put('youtube', id, { views: 10 });
      await world.register(caller, { videoId: id, platformPostId: id });
      const [first] = await eventually(async () => {
        const resting = await pauses();
        expect(resting).toHaveLength(2);
        return resting;
      });
      const waitMs = (first?.getTime() ?? 0) - world.now().getTime();
      waitsMs.push(waitMs);
      world.advance(waitMs);
    }
    expect(waitsMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    await world.setFaults();
    world.advance(hourMs);
    for (const id of ids) await measured(world, caller, id, { views: 10 });
  });
});

async function missesOf(platformPostId: string): Promise<number> {
  const [row] = await world.service.db.query<{ misses: number }>(
    `select misses from collections c join published_posts p on p.id = c.post_id where platform_post_id = $1`,
    [platformPostId],
  );
  return row?.misses ?? -1;
}

async function pauses(): Promise<Date[]> {
  const rows = await world.service.db.query<{ at: Date }>(
    'select paused_until as at from api_limits where paused_until > $1',
    [world.now()],
  );
  return rows.map(row => row.at);
}

/** The name under which the service stores the limits of its key. */
async function credential(): Promise<string> {
  const id = freshId();
  await measured(world, await registerAll([id]), id, { views: 10 });
  const [row] = await world.service.db.query<{ credential: string }>('select credential from api_limits');
  return row?.credential ?? '';
}

it('due posts are claimed in the order of an index, however many are due at once', async () => {
  const plans: string[] = [];
  await world.service.db.transaction(async tx => {
    // A table of a few rows would be read whole.
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await tx.query(`set local enable_${way} = off`);
    const explained = toSql(async (text, values) => {
      plans.push(JSON.stringify(await tx.query(`explain ${text}`, values)));
      return [];
    });
    await claimYoutube(explained, { now: world.now(), leaseMs: 60_000, claimsMax: 50 });
    await claimInstagram(explained, world.now(), 60_000);
  });
  const [youtube, instagram] = plans;
  expect(youtube).toContain('collections_due_youtube');
  expect(instagram).toContain('collections_due_instagram');
  expect(plans.join()).not.toContain('Sort');
});

it('a post that is read while its workspace is deleted leaves no snapshot', async () => {
  const { db, log } = world.service;
  const id = freshId();
  const { accountId } = await registerAll([id]);
  const [post] = await db.query<{ id: string }>('select id from published_posts where account_id = $1', [
    accountId,
  ]);
  const snapshots = () => db.query('select from metric_snapshots where post_id = $1', [post!.id]);
  await eventually(async () => expect(await snapshots()).toHaveLength(1));
  const measured = { views: 1, likes: 1, comments: 1, publishedAt: null, sourceId: null, hasInsights: true };
  for (const [at, step] of deletionSteps.entries()) {
    await deleteRows(db, [step], accountId, Infinity);
    const later = new Date(world.now().getTime() + (at + 1) * dayMs);
    const claims = await claimYoutube(db, { now: later, leaseMs: 1, claimsMax: 50 });
    const outcomes = claims.map(claim => ({ claim, kind: 'measured' as const, measured }));
    await settleClaims({ db, log, now: () => later }, outcomes);
  }
  expect(await snapshots()).toEqual([]);
});
