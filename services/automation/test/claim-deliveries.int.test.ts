import { createLogger } from '@hookline/shared/kernel';
import type { Database, Transaction } from '@hookline/shared/postgres';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFailure } from '../src/actions/deliver-webhook.ts';
import { endNextDeliveries } from '../src/actions/end-deliveries.ts';
import { openDeliveryQueue } from '../src/deps.ts';
import { type Claim, claimDeliveries } from '../src/queries/claim-deliveries.ts';
import { recordDelivered } from '../src/queries/deliveries.ts';
import { endedMax } from '../src/queries/ending-deliveries.ts';
import { pruneEvents } from '../src/queries/retention.ts';

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const log = createLogger({ service: 'test', level: 'silent' });
  db = openDeliveryQueue(database.roleUrl('automation'), log);
  await db.query(
    `insert into feed_events (id, account_id, position, type, resource, sequence, data, created_at)
     values ('event', 'acct', 1, 'job.completed', 'job:1', 1, '{}', now())`,
  );
  await db.query(`insert into feed_heads values ('acct', 1)`);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await db.query('delete from deliveries');
  await db.query('delete from webhooks');
});

const now = new Date('2026-11-20T12:00:00.000Z');
const claim = (walkAfter = '', room: [string, number][] = [], dueAfter: Date | null = null): Promise<Claim> =>
  db.transaction(tx =>
    claimDeliveries(tx, {
      ...{ now, leaseUntil: new Date(now.getTime() + 6_000), token: 'mine' },
      ...{ room: new Map(room), roomElse: 4, limit: 256, dueAfter, walkAfter },
    }),
  );

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
     select $1 || n || '_' || m, $1 || n, case when m = 1 then 'event' else 'event_' || m end,
       'job.completed', 'job:' || m, 1, $4::timestamptz + $5 * interval '1 s' + m * interval '1 ms', now(), now()
     from generate_series(1, $2::int) n, generate_series(1, $3::int) m`,
    [prefix, count, each, now, dueInSeconds],
  );
}

/** The rows of `deliveries` that the work reads. */
function rowsReadBy(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
  return db.transaction(async tx => {
    // Includes transactions before this one that the server has not counted yet.
    const rowsRead = async (): Promise<number> => {
      const [row] = await tx.query<{ count: number }>(
        `select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
         where relname = 'deliveries'`,
      );
      return row?.count ?? 0;
    };
    const before = await rowsRead();
    await work(tx);
    return (await rowsRead()) - before;
  });
}

describe('a claim', () => {
  // First, because nothing has analyzed the table yet.
  it('of one resource with many events reads few rows on a table without statistics', async () => {
    await insert('a', 1, 230, -60);
    await db.query(`update deliveries set resource = 'job:1', sequence = split_part(id, '_', 2)::int`);
    const read = await rowsReadBy(tx =>
      claimDeliveries(tx, {
        ...{ now, leaseUntil: now, token: 'mine', room: new Map(), roomElse: 4, limit: 256 },
        ...{ dueAfter: null, walkAfter: '' },
      }),
    );
    // 43,000 if all that wait are read for each of them.
    expect(read).toBeGreaterThan(200);
    expect(read).toBeLessThan(5_000);
  });

  it('is planned for the backlog of today, not for the empty table of its first calls', async () => {
    for (let call = 0; call < 8; call += 1) await claim();
    await insert('a', 100, 100, -60);
    const beganMs = performance.now();
    // The feed has the first event of each endpoint only.
    expect((await claim()).deliveries).toHaveLength(100);
    // 60 ms; with the plan of the first calls it was ended by the limit of a statement, 10 s.
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });

  it('takes the longest waiting of each endpoint, as many as there is room for', async () => {
    await insert('a', 1, 1, -60);
    await insert('later', 600, 1, 60);
    const { deliveries, walkedTo } = await claim();
    expect(deliveries.map(({ id }) => id)).toEqual(['a1_1']);
    expect(walkedTo).toBeNull();
  });

  it('reads no more of a backlog than it may take, with statistics from before it', async () => {
    await db.query('vacuum analyze deliveries');
    await insert('backlog', 1, 20_000, -3_600);
    const options = { now, leaseUntil: now, token: 'mine', room: new Map([['backlog1', 8]]) };
    const read = await rowsReadBy(tx =>
      claimDeliveries(tx, { ...options, roomElse: 4, limit: 256, dueAfter: null, walkAfter: '' }),
    );
    // 21,000 if all are sorted to find the first thousand.
    expect(read).toBeGreaterThan(8);
    expect(read).toBeLessThan(2_000);
  });

  it('of many endpoints with backlogs locks the oldest rows alone, and says that there are more', async () => {
    await insert('a', 30, 64, -60);
    const { isBehind } = await claim(
      '',
      Array.from({ length: 30 }, (_, at) => [`a${at + 1}`, 64]),
    );
    const [rows] = await db.query(
      `select count(*) filter (where lease_token = 'mine')::int as claimed,
         count(*) filter (where xmax <> 0)::int <= 1000 as "areFewLocked" from deliveries`,
    );
    expect([isBehind, rows]).toEqual([true, { claimed: 256, areFewLocked: true }]);
  });

  it('gives an endpoint all its room behind the backlog of another that has none', async () => {
    await insert('backlog', 1, 1_200, -3_600);
    await insert('z', 1, 64, -60);
    await claim('', [
      ['backlog1', 0],
      ['z1', 64],
    ]);
    const claimed = await db.query(
      `select webhook_id from deliveries where lease_token = 'mine' group by webhook_id having count(*) = 64`,
    );
    expect(claimed).toEqual([{ webhook_id: 'z1' }]);
  });

  it('of what became due since the last one finds it behind a backlog, and reads none of that', async () => {
    await insert('backlog', 1, 1_200, -3_600);
    await insert('older', 1, 1, -60);
    await insert('z', 1, 1, -1);
    const since = new Date(now.getTime() - 2_000);
    const newest = await claim('', [['backlog1', 0]], since);
    expect(newest.deliveries.map(({ id }) => id)).toEqual(['z1_1']);
    expect([newest.isBehind, newest.walkedTo]).toEqual([false, null]);
    const all = await claim('', [['backlog1', 0]]);
    expect(all.deliveries.map(({ id }) => id)).toEqual(['older1_1']);
    expect(all.isBehind).toBe(true);
  });

  it('says that there are more only if an endpoint has room for more than was read', async () => {
    await insert('backlog', 1, 1_200, -3_600);
    expect((await claim('', [['backlog1', 32]])).isPartial).toBe(false);
    await db.query('delete from deliveries');
    await insert('front', 3, 300, -3_600);
    await insert('many', 1, 1_000, -3_599);
    const room: [string, number][] = [1, 2, 3].map(at => [`front${at}`, 0]);
    expect((await claim('', [...room, ['many1', 64]])).isPartial).toBe(false);
    expect((await claim('', [['many1', 300]])).isPartial).toBe(true);
  });

  it('finds an endpoint behind the backlog of another, however many others wait for later', async () => {
    await insert('backlog', 1, 1_200, -3_600);
    await insert('later', 700, 1, 60);
    await insert('z', 1, 1, -1);
    const first = await claim('', [['backlog1', 0]]);
    expect(first.deliveries).toEqual([]);
    expect(first.walkedTo).not.toBeNull();
    const second = await claim(first.walkedTo ?? '', [['backlog1', 0]]);
    expect(second.deliveries.map(({ id }) => id)).toEqual(['z1_1']);
    expect(second.walkedTo).toBeNull();
  });

  it('that a crash of Postgres took back does not undo a success, unless the delivery was replayed since', async () => {
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

  it('counts a failed attempt once, and not at all once another worker has the delivery', async () => {
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
      return writeFailure({ db }, delivery, record, result(responseStatus));
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
    await db.query(`update deliveries set lease_token = 'mine'`);
    await write('mine', 410);
    expect(await endpoint()).toEqual([{ status: 'disabled', failures: 2, attempts: 2, delivery: 'failed' }]);
  });

  it('takes nothing of a backlog that 410 ended, which fails 5,000 in a transaction', async () => {
    await insert('gone', 1, 12_000, -3_600);
    await insert('b', 1, 1, -60);
    const [delivery] = (await claim('', [['b1', 0]])).deliveries;
    if (!delivery) throw new Error('nothing was claimed');
    const attempt = { at: now.toISOString(), responseStatus: 410, durationMs: 1, error: 'answered 410' };
    const result = { ...attempt, response: null, retryAfter: undefined };
    const record = { id: delivery.id, token: 'mine', attempt, response: null, now };
    const endpoint = () =>
      db.query(`select w.status, ends_deliveries as ends, d.status as delivery, count(*)::int as count
        from webhooks w join deliveries d on d.webhook_id = w.id where w.id = 'gone1'
        group by 1, 2, 3 order by 3`);
    const disabled = { status: 'disabled', ends: true };
    await writeFailure({ db }, delivery, record, result);
    expect(await endpoint()).toEqual([
      { ...disabled, delivery: 'failed', count: endedMax },
      { ...disabled, delivery: 'pending', count: 12_000 - endedMax },
    ]);
    expect((await claim()).deliveries.map(({ webhookId }) => webhookId)).toEqual(['b1']);
    const deps = { db, now: () => now };
    expect([await endNextDeliveries(deps), await endNextDeliveries(deps)]).toEqual([true, false]);
    expect(await endpoint()).toEqual([{ ...disabled, ends: false, delivery: 'failed', count: 12_000 }]);
  });

  it('goes on with an endpoint that the version before enabled while its deliveries were ended', async () => {
    await insert('a', 1, 1, -60);
    await db.query(`update webhooks set ends_deliveries = true`);
    expect((await claim()).deliveries).toEqual([]);
    expect(await endNextDeliveries({ db, now: () => now })).toBe(false);
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it('of a replay is not lost to the retention of its event', async () => {
    await insert('a', 1, 1, -60);
    await pruneEvents(db, new Date(Date.now() + 60_000));
    expect((await claim()).deliveries.map(({ event }) => event.id)).toEqual(['event']);
  });

  it('takes nothing twice', async () => {
    await insert('a', 1, 1, -60);
    expect((await claim()).deliveries).toHaveLength(1);
    expect((await claim()).deliveries).toHaveLength(0);
  });
});
