import { lockWaits, openTestDatabase } from '@hookline/testing/database';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordDelivered, replayDelivery } from '../src/deliveries/queries.ts';
import { makeDue } from '../src/deliveries/queries-queue.ts';
import { lockFeedHead } from '../src/feed/queries.ts';
import { writeFailure } from '../src/sending/attempt.ts';
import { releaseClaims } from '../src/sending/claim.ts';
import { type Claim, type ClaimOptions, claimDeliveries, queueAgain } from '../src/sending/queries.ts';
import { pruneEvents } from '../src/upkeep/queries.ts';
import { endNextDeliveries } from '../src/webhooks/end.ts';
import { endDeliveries, endedMax } from '../src/webhooks/queries-ending.ts';

const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl('automation')));

beforeAll(async () => {
  await db.query(`insert into feed_heads values ('acct', 64)`);
});

beforeEach(async () => {
  for (const table of ['deliveries', 'webhook_queue', 'webhooks']) await db.query(`delete from ${table}`);
  await db.query(
    `insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at)
     select 'event_' || n, 'acct', n, 'job.completed', 'job:' || n, 1, '{}', now() from generate_series(1, 64) n
     on conflict do nothing`,
  );
});

const now = new Date('2026-11-20T12:00:00.000Z');
const options = { now, leaseUntil: new Date(now.getTime() + 6_000), token: 'mine', roomElse: 4, limit: 256 };
const claim = async (room: [string, number][] = [], more: Partial<ClaimOptions> = {}): Promise<Claim> => {
  const asked = { ...options, room: new Map(room), ...more };
  const claimed = await claimDeliveries(db, asked);
  await db.transaction(tx => queueAgain(tx, claimed.webhookIds, asked.now));
  return claimed;
};
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
/** Each endpoint of the queue with the seconds until it is due. */
async function queued(): Promise<Record<string, number>> {
  const rows = await db.query<{ id: string; seconds: number }>(
    `select webhook_id as id, extract(epoch from next_due_at - $1)::float8 as seconds from webhook_queue`,
    [now],
  );
  return Object.fromEntries(rows.map(({ id, seconds }) => [id, seconds]));
}

/** Inserts `count` endpoints with `each` deliveries, due in the given number of seconds. */
async function insert(prefix: string, count: number, each: number, dueInSeconds: number): Promise<void> {
  await db.query(
    `insert into webhooks (id, account_id, url, events, secrets, created_at, updated_at)
     select $1 || n, 'acct', 'https://example.com', array['job.completed'], '[]', now(), now()
     from generate_series(1, $2::int) n`,
    [prefix, count],
  );
  await db.query(
    `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at, created_at,
       updated_at)
     select $1 || n || '_' || m, $1 || n, 'event_' || m,
       'job.completed', 'job:' || m, 1, $4::timestamptz + $5 * interval '1 s' + m * interval '1 ms', now(), now()
     from generate_series(1, $2::int) n, generate_series(1, $3::int) m`,
    [prefix, count, each, now, dueInSeconds],
  );
  await db.query(
    `insert into webhook_queue select webhook_id, min(next_attempt_at) from deliveries where webhook_id like $1 || '%'
     group by 1`,
    [prefix],
  );
}

type Reads = { rows: number; pages: number };

/** What a claim reads of deliveries and the queue, pages of indexes included. It is rolled back. */
async function readsOfClaim(room: [string, number][] = []): Promise<Reads> {
  let reads: Reads = { rows: 0, pages: 0 };
  const rollback = new Error('rollback');
  const work = db.transaction(async tx => {
    // Includes transactions before this one that the server has not counted yet.
    const count = () =>
      tx.only<Reads>(
        `select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))
             filter (where c.relkind = 'r')::int as rows,
           sum(pg_stat_get_xact_blocks_fetched(c.oid))::int as pages
         from pg_class c left join pg_index i on i.indexrelid = c.oid
         where coalesce(i.indrelid, c.oid) in ('deliveries'::regclass, 'webhook_queue'::regclass)`,
      );
    const before = await count();
    const { webhookIds } = await claimDeliveries(tx, { ...options, room: new Map(room) });
    await queueAgain(tx, webhookIds, now);
    const after = await count();
    reads = { rows: after.rows - before.rows, pages: after.pages - before.pages };
    throw rollback;
  });
  await work.catch(error => {
    if (error !== rollback) throw error;
  });
  return reads;
}

describe('a claim', () => {
  // First, because nothing has analyzed the table yet.
  it('a claim of one resource with many events reads few rows on a table without statistics', async () => {
    await insert('a', 1, 230, -60);
    await db.query(`update deliveries set resource = 'job:1', sequence = split_part(id, '_', 2)::int`);
    const { rows } = await readsOfClaim();
    // 43,000 if all that wait are read for each of them.
    expect(rows).toBeGreaterThan(100);
    expect(rows).toBeLessThan(2_000);
  });

  it('a claim is planned for the backlog of today, not for the empty table of its first calls', async () => {
    for (let call = 0; call < 8; call += 1) await claim();
    await insert('a', 100, 100, -60);
    const { rows } = await readsOfClaim();
    // 100 endpoints with room for 4; a million or more with the plan of the first calls.
    expect(rows).toBeGreaterThan(400);
    expect(rows).toBeLessThan(5_000);
  });

  it('a claim behind a backlog of 30,000 reads as much as behind as many that are delivered', async () => {
    await db.query('vacuum analyze deliveries');
    await insert('backlog', 1, 30_000, -3_600);
    await insert('x', 20, 4, -60);
    const behind = await readsOfClaim([['backlog1', 0]]);
    const ofBoth = await readsOfClaim([['backlog1', 4]]);
    await db.query(
      `update deliveries set status = 'delivered', next_attempt_at = null where webhook_id = 'backlog1'`,
    );
    await db.query(`delete from webhook_queue where webhook_id = 'backlog1'`);
    const alone = await readsOfClaim();
    expect(alone.rows).toBeGreaterThan(80);
    expect(behind.rows).toBeLessThan(1.2 * alone.rows);
    expect(behind.pages).toBeLessThan(1.2 * alone.pages);
    expect(ofBoth.pages).toBeLessThan(1.3 * alone.pages);
  });

  it('a claim takes the longest waiting of each endpoint, as many as there is room for', async () => {
    await insert('a', 1, 8, -60);
    await insert('b', 1, 8, -30);
    await insert('later', 600, 1, 60);
    const { deliveries, hasMore } = await claim([['a1', 2]]);
    expect(deliveries.map(({ id }) => id).sort()).toEqual(['a1_1', 'a1_2', 'b1_1', 'b1_2', 'b1_3', 'b1_4']);
    expect(hasMore).toBe(false);
  });

  it('a claim of many endpoints with backlogs locks only what it takes, and says that there may be more', async () => {
    await insert('a', 30, 64, -60);
    const { hasMore } = await claim(Array.from({ length: 30 }, (_, at) => [`a${at + 1}`, 64]));
    const [rows] = await db.query(
      `select count(*) filter (where lease_token = 'mine')::int as claimed,
         count(*) filter (where xmax <> 0)::int as locked from deliveries`,
    );
    expect([hasMore, rows]).toEqual([true, { claimed: 256, locked: 256 }]);
  });

  it('claims serve endpoints in turn: one with more queues again behind those that wait', async () => {
    await insert('old', 1, 100, -3_600);
    await insert('middle', 1, 100, -1_800);
    await insert('new', 1, 1, -1);
    const turn = async (): Promise<string[]> => {
      const { deliveries } = await claim([], { limit: 4 });
      return [...new Set(deliveries.map(({ webhookId }) => webhookId))];
    };
    expect(await turn()).toEqual(['old1']);
    expect(await queued()).toEqual({ old1: 0, middle1: -1_799.999, new1: -0.999 });
    expect(await turn()).toEqual(['middle1']);
    expect(await turn()).toContain('new1');
  });

  it('a claim gives an endpoint all its room behind the backlog of another that has none', async () => {
    await insert('backlog', 1, 1_200, -3_600);
    await insert('z', 1, 64, -60);
    const { hasMore } = await claim([
      ['backlog1', 0],
      ['z1', 64],
    ]);
    const claimed = await db.query(
      `select webhook_id, count(*)::int as count from deliveries where lease_token = 'mine' group by 1`,
    );
    expect([hasMore, claimed]).toEqual([false, [{ webhook_id: 'z1', count: 64 }]]);
  });

  it('a claim writes when to look again: at once for more, at the end of a lease, at a retry, never', async () => {
    await insert('more', 1, 8, -60);
    await insert('leased', 1, 2, -60);
    await insert('retry', 1, 2, -60);
    await db.query(`update deliveries set next_attempt_at = $1 where id = 'retry1_2'`, [inSeconds(3)]);
    await insert('later', 1, 1, 60);
    await insert('done', 1, 1, -60);
    await db.query(
      `update deliveries set status = 'delivered', next_attempt_at = null where webhook_id = 'done1'`,
    );
    await insert('disabled', 1, 8, -60);
    await db.query(
      `update webhooks set status = 'disabled', disabled_reason = 'test' where id = 'disabled1'`,
    );
    await claim();
    expect(await queued()).toEqual({ more1: 0, leased1: 6, retry1: 3, later1: 60.001 });
    const claimed = await db.query(
      `select from deliveries where webhook_id = 'disabled1' and lease_token is not null`,
    );
    expect(claimed).toEqual([]);
  });

  it('a claim is repeated within a second where all that is due waits for an earlier event', async () => {
    await insert('a', 1, 3, -60);
    await db.query(`update deliveries set resource = 'job:1', sequence = split_part(id, '_', 2)::int`);
    const { deliveries } = await claim();
    expect(deliveries.map(({ id }) => id)).toEqual(['a1_1']);
    expect(await queued()).toEqual({ a1: 1 });
    const attempt = { at: now.toISOString(), responseStatus: 200, durationMs: 1, error: null };
    const records = deliveries.map(({ id, webhookId, updatedAt }) => ({
      ...{ id, webhookId, updatedAt, token: 'mine', attempt, response: 'ok', now },
    }));
    expect(await recordDelivered(db, records)).toBe(true);
    expect(await queued()).toEqual({ a1: 0 });
  });

  it.each(['successes', 'releases'])(
    '%s of several endpoints do not deadlock with the end of one and an event for another',
    async what => {
      await insert('a', 2, 2, -60);
      await db.query(`update deliveries set resource = 'job:1', sequence = split_part(id, '_', 2)::int`);
      const { deliveries } = await claim();
      const attempt = { at: now.toISOString(), responseStatus: 200, durationMs: 1, error: null };
      const records = deliveries.map(({ id, webhookId, updatedAt }) => ({
        ...{ id, webhookId, updatedAt, token: 'mine', attempt, response: 'ok', now },
      }));
      const ids = deliveries.map(({ id }) => id);
      const write = async (): Promise<unknown> =>
        what === 'successes'
          ? recordDelivered(db, records)
          : releaseClaims({ db, now: () => now }, ids, 'mine');
      let written: Promise<unknown> | undefined;
      let published: Promise<void> | undefined;
      await db.transaction(async ending => {
        await lockFeedHead(ending, 'acct');
        published = db.transaction(async event => {
          await makeDue(event, ['a1'], now);
          written = write();
          await lockWaits(db);
          await lockFeedHead(event, 'acct');
        });
        await lockWaits(db, 2);
        await endDeliveries(ending, ['a2'], now);
      });
      await Promise.all([published, written]);
      const pending = await db.query<{ id: string }>(
        `select distinct webhook_id as id from deliveries where status = 'pending'`,
      );
      expect(pending).toEqual([{ id: 'a1' }]);
    },
  );

  it('a claim does not hide a delivery whose transaction commits during it', async () => {
    await insert('a', 1, 1, -60);
    let claimed: Promise<Claim> | undefined;
    await db.transaction(async tx => {
      await tx.query(
        `insert into deliveries select 'late', webhook_id, 'event_late', event_type, 'job:late', sequence, status, attempts,
           attempts_made, null, next_attempt_at, null, created_at, updated_at from deliveries where id = 'a1_1'`,
      );
      await makeDue(tx, ['a1'], now);
      claimed = claim();
      expect((await claimed).deliveries).toHaveLength(1);
    });
    expect((await queued()).a1).toBeLessThanOrEqual(0);
    await claim();
    const late = await db.query(`select from deliveries where id = 'late' and lease_token = 'mine'`);
    expect(late).toHaveLength(1);
  });

  it('claims of several processes take each delivery once and leave none, while others write', async () => {
    await insert('a', 10, 20, -60);
    const taken: string[] = [];
    let written = 0;
    const write = async (): Promise<void> => {
      for (let at = 0; at < 40; at += 1) {
        await db.transaction(async tx => {
          const webhookId = `a${(at % 10) + 1}`;
          await tx.query(
            `insert into deliveries (id, webhook_id, event_id, event_type, resource, sequence, next_attempt_at,
               created_at, updated_at)
             values ($1, $2, $1, 'job.completed', $1, 1, $3, $3, $3)`,
            [`more_${at}`, webhookId, now],
          );
          await makeDue(tx, [webhookId], now);
        });
        written += 1;
      }
    };
    const takeAll = async (token: string): Promise<void> => {
      for (let empty = 0; empty < 3; ) {
        await claim([], { token, roomElse: 3, limit: 7 });
        const rows = await db.query<{ id: string }>(
          `update deliveries set status = 'delivered', next_attempt_at = null where lease_token = $1 and status = 'pending'
           returning id`,
          [token],
        );
        taken.push(...rows.map(({ id }) => id));
        empty = rows.length === 0 && written === 40 ? empty + 1 : 0;
      }
    };
    await Promise.all([write(), takeAll('one'), takeAll('two'), takeAll('three')]);
    expect(taken).toHaveLength(240);
    expect(new Set(taken).size).toBe(240);
    await claim([], { now: inSeconds(7) });
    expect(await queued()).toEqual({});
  });

  it('a claim finds what another process released', async () => {
    await insert('a', 1, 2, -60);
    await claim();
    expect((await claim()).deliveries).toEqual([]);
    await releaseClaims({ db, now: () => now }, ['a1_1', 'a1_2'], 'mine');
    expect(await queued()).toEqual({ a1: 0 });
    expect((await claim()).deliveries).toHaveLength(2);
  });

  it('a claim that a crash of Postgres lost undoes no success, unless the delivery was replayed since', async () => {
    await insert('a', 2, 1, -60);
    const { deliveries } = await claim();
    const attempt = { at: now.toISOString(), responseStatus: 200, durationMs: 1, error: null };
    const records = deliveries.map(({ id, webhookId, updatedAt }) => ({
      ...{ id, webhookId, updatedAt, token: 'mine', attempt, response: 'ok', now },
    }));
    await db.query(`update deliveries set lease_token = null, next_attempt_at = $1`, [now]);
    const [replayed] = await db.query<{ id: string }>(
      `update deliveries set updated_at = now() + interval '1 s' where id = 'a2_1' returning id`,
    );
    await recordDelivered(db, records);
    const pending = await db.query<{ id: string }>(`select id from deliveries where status = 'pending'`);
    expect(deliveries).toHaveLength(2);
    expect(pending).toEqual([replayed]);
  });

  it('a failed attempt counts once, and not at all once another worker has the delivery or its endpoint was moved', async () => {
    await insert('a', 1, 1, -60);
    const [delivery] = (await claim()).deliveries;
    if (!delivery) throw new Error('nothing was claimed');
    const result = (responseStatus: number) => ({
      ...{ responseStatus, durationMs: 1, error: `status ${responseStatus}`, response: null },
      retryAfter: undefined,
    });
    const write = (token: string, responseStatus: number) => {
      const attempt = { at: now.toISOString(), responseStatus, durationMs: 1, error: 'failed' };
      const record = { id: delivery.id, token, attempt, response: null, now };
      return writeFailure({ db }, delivery, { record, result: result(responseStatus) });
    };
    const endpoint = () =>
      db.query(`select w.status, cardinality(failed_at) as failures, attempts_made as attempts, d.status as delivery
        from webhooks w join deliveries d on d.webhook_id = w.id`);
    await write('another', 410);
    expect(await endpoint()).toMatchObject([{ status: 'enabled', attempts: 0, delivery: 'pending' }]);
    // The second is the repeat after a commit without an answer.
    await write('mine', 500);
    await write('mine', 500);
    expect(await endpoint()).toEqual([{ status: 'enabled', failures: 1, attempts: 1, delivery: 'pending' }]);
    const moveTo = (url: string) =>
      db.query(`with moved as (update webhooks set url = $1) update deliveries set lease_token = 'mine'`, [
        url,
      ]);
    await moveTo('https://moved.example/');
    await write('mine', 410);
    expect(await endpoint()).toEqual([{ status: 'enabled', failures: 1, attempts: 2, delivery: 'pending' }]);
    await moveTo(delivery.url);
    await write('mine', 410);
    expect(await endpoint()).toEqual([{ status: 'disabled', failures: 2, attempts: 3, delivery: 'failed' }]);
  });

  it('a failed last attempt is the first of a new series where its delivery was replayed meanwhile', async () => {
    await insert('a', 1, 1, -60);
    await db.query('update deliveries set attempts_made = 9');
    const [delivery] = (await claim()).deliveries;
    if (!delivery) throw new Error('nothing was claimed');
    const { id, webhookId } = delivery;
    const before = await db.query('select lease_token, next_attempt_at from deliveries');
    await db.transaction(tx => replayDelivery(tx, { webhookId, id, now }));
    expect(await db.query('select lease_token, next_attempt_at from deliveries')).toEqual(before);
    const attempt = { at: now.toISOString(), responseStatus: 500, durationMs: 1, error: 'answered 500' };
    const result = { ...attempt, response: null, retryAfter: undefined };
    const record = { id, token: 'mine', attempt, response: null, now };
    await writeFailure({ db }, delivery, { record, result });
    const [row] = await db.query<{ status: string; made: number; at: Date }>(
      'select status, attempts_made as made, next_attempt_at as at from deliveries',
    );
    expect(row).toMatchObject({ status: 'pending', made: 1 });
    expect((row?.at.getTime() ?? 0) - now.getTime()).toBeLessThan(6_000);
  });

  it('a claim takes nothing of a backlog that 410 ended, which fails 5,000 in a transaction', async () => {
    await insert('gone', 1, 12_000, -3_600);
    await insert('b', 1, 1, -60);
    const [delivery] = (await claim([['b1', 0]])).deliveries;
    if (!delivery) throw new Error('nothing was claimed');
    const attempt = { at: now.toISOString(), responseStatus: 410, durationMs: 1, error: 'answered 410' };
    const result = { ...attempt, response: null, retryAfter: undefined };
    const record = { id: delivery.id, token: 'mine', attempt, response: null, now };
    const endpoint = () =>
      db.query(`select w.status, ends_deliveries as ends, d.status as delivery, count(*)::int as count
        from webhooks w join deliveries d on d.webhook_id = w.id where w.id = 'gone1'
        group by 1, 2, 3 order by 3`);
    const disabled = { status: 'disabled', ends: true };
    await writeFailure({ db }, delivery, { record, result });
    expect(await endpoint()).toEqual([
      { ...disabled, delivery: 'failed', count: endedMax },
      { ...disabled, delivery: 'pending', count: 12_000 - endedMax },
    ]);
    expect((await claim()).deliveries.map(({ webhookId }) => webhookId)).toEqual(['b1']);
    const deps = { db, now: () => now };
    expect([await endNextDeliveries(deps), await endNextDeliveries(deps)]).toEqual([true, false]);
    expect(await endpoint()).toEqual([{ ...disabled, ends: false, delivery: 'failed', count: 12_000 }]);
  });

  it('a claim of a replay is not lost to the retention of its event', async () => {
    await insert('a', 1, 1, -60);
    await pruneEvents(db, new Date(Date.now() + 60_000));
    expect((await claim()).deliveries.map(({ event }) => event.id)).toEqual(['event_1']);
  });

  it('a claim takes nothing twice', async () => {
    await insert('a', 1, 1, -60);
    expect((await claim()).deliveries).toHaveLength(1);
    expect((await claim()).deliveries).toHaveLength(0);
  });
});
