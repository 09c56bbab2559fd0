import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobCompleted } from '../../events/content.ts';
import { newId } from '../../kernel/ids.ts';
import { createLogger } from '../../kernel/logger.ts';
import type { Database } from '../../postgres/db.ts';
import { openDedicatedConnection } from '../../postgres/dedicated-connection.ts';
import type { Bus } from '../port.ts';
import { appendEvents } from './append.ts';
import { keepSentDays } from './queries/sent.ts';
import { type OutboxRelay, startOutboxRelay } from './relay.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const service = 'content';

const database = perSuite(createMigratedDatabase);
const db = perSuite(() => openTestDatabase(database.roleUrl(service), 10));
const admin = perSuite(() => openDedicatedConnection(database.url, 'test', { queryTimeoutMs: 0 }));
let relay: OutboxRelay | undefined;
let published: string[] = [];

beforeAll(async () => {
  // Inserts many rows in one statement.
  await admin.query('set search_path to content');
});
afterEach(async () => {
  await relay?.stop();
  relay = undefined;
  published = [];
});

// What the relay asks of a bus; what a bus does is tested with the real ones in relay.int.test.ts.
const bus = {
  publish: async batch => {
    published.push(...batch.map(message => message.headers.ce_id ?? ''));
  },
  health: async () => ({ ok: true }),
} as Pick<Bus, 'publish' | 'health'> as Bus;

function start(given: Database = db): void {
  relay = startOutboxRelay({ service, db: given, bus, log, pollMs: 20 });
}

async function append(count: number, work: () => Promise<void> = async () => {}): Promise<string[]> {
  const event = () => ({
    ...{ accountId: 'acct_1', subject: newId('content'), source: service },
    ...{ at: new Date(), data: jobCompleted.example },
  });
  const events = await db.transaction(async tx => {
    const written = await appendEvents(tx, jobCompleted, Array.from({ length: count }, event));
    await work();
    return written;
  });
  return events.map(({ id }) => id);
}

const sentIds = async (): Promise<string[]> =>
  (await db.query<{ event: string }>('select event_id as event from outbox_sent order by id')).map(
    row => row.event,
  );

async function days(): Promise<string[]> {
  const { rows } = await admin.query<{ day: string }>(
    `select right(c.relname, 10) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'content.outbox_sent'::regclass order by 1`,
  );
  return rows.map(row => row.day);
}

async function dayAt(offset: number): Promise<string> {
  const { rows } = await admin.query<{ day: string }>(
    `select to_char((now() at time zone 'UTC')::date + $1::integer, 'YYYY_MM_DD') as day`,
    [offset],
  );
  return rows[0]?.day ?? '';
}

const ensureDay = (offset: number) =>
  admin.query(`select ensure_outbox_day((now() at time zone 'UTC')::date + $1::integer)`, [offset]);

/** Pages read by the relay's query, as Postgres counts them. */
async function costOfPoll(floor: number): Promise<number> {
  const { rows } = await admin.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json)
     select id, topic, key, payload, headers, attempts from content.outbox where id > ${floor} order by id limit 500`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

describe('published events', () => {
  it('move out of the outbox whole, in a partition of the day', async () => {
    const ids = await append(3);
    const [before] = await db.query<{ row: object }>(
      `select to_jsonb(o) - 'attempts' - 'last_error' as row from outbox o where event_id = $1`,
      [ids[0]],
    );
    start();
    await eventually(async () => expect(await sentIds()).toEqual(ids));
    expect(await db.query('select 1 from outbox')).toEqual([]);
    const [after] = await db.query<{ row: object }>(
      `select to_jsonb(s) - 'sent_at' as row from outbox_sent s where event_id = $1`,
      [ids[0]],
    );
    expect(after?.row).toEqual(before?.row);
  });

  it('find a partition after a relay stood still over days, and lose nothing without one', async () => {
    start();
    await eventually(async () => expect(await days()).toContain(await dayAt(1)));
    await relay?.stop();
    for (const day of await days()) await admin.query(`drop table outbox_sent_${day}`);
    // A relay whose hourly upkeep is not due: the move must create the partition.
    const withoutUpkeep: Database = {
      ...db,
      query: (text, values) =>
        text.includes('drop_outbox_days') ? Promise.reject(new Error('not now')) : db.query(text, values),
    };
    start(withoutUpkeep);
    await eventually(async () => expect(await days()).toContain(await dayAt(0)));
    for (const day of await days()) await admin.query(`drop table outbox_sent_${day}`);
    const ids = await append(2);
    await eventually(async () => expect(await sentIds()).toEqual(ids));
  });

  it('are dropped as partitions after three full days, and not while they are read', async () => {
    for (const offset of [-9, -4, -3, -2, 0, 1]) await ensureDay(offset);
    const expected = await Promise.all([-3, -2, 0, 1].map(dayAt));
    const reader = await openDedicatedConnection(database.url, 'test reader');
    await reader.query('begin; select 1 from content.outbox_sent limit 1');
    expect(await keepSentDays(db)).toEqual([]);
    expect(await days()).toHaveLength(6);
    await reader.query('commit');
    await reader.end();
    expect(await keepSentDays(db)).toEqual(
      (await Promise.all([-9, -4].map(dayAt))).map(day => `outbox_sent_${day}`),
    );
    expect(await days()).toEqual(expected);
    // Whatever a caller requests, the newest days stay.
    await db.query(`select drop_outbox_days('2099-01-01')`);
    expect(await days()).toEqual(await Promise.all([-2, 0, 1].map(dayAt)));
  });
});

describe('the floor of the relay', () => {
  it('waits for a transaction that took its ids early and commits late', async () => {
    const hold = Promise.withResolvers<void>();
    const slow = append(1, () => hold.promise);
    start();
    for (let round = 0; round < 5; round += 1) {
      const ids = await append(40);
      await eventually(() => expect(published).toEqual(expect.arrayContaining(ids)));
    }
    hold.resolve();
    const [late] = await slow;
    await eventually(() => expect(published).toContain(late));
    expect(new Set(published).size).toBe(published.length);
  });

  it('a poll costs the same after 1,000 and after 200,000 events under an open snapshot', async () => {
    // What the relay leaves: deleted rows that a snapshot still sees. Inserted here by two statements.
    const snapshot = await openDedicatedConnection(database.url, 'test snapshot');
    await snapshot.query('begin isolation level repeatable read read only');
    await snapshot.query('select 1 from content.outbox limit 1');
    const fill = async (count: number): Promise<void> => {
      await admin.query(
        `insert into outbox (event_id, topic, key, payload, headers)
         select 'evt_' || gen_random_uuid(), 'content.jobs', n::text, '{}', '{}' from generate_series(1, ${count}) n`,
      );
      await admin.query('delete from outbox');
    };
    const costs: number[] = [];
    const withoutFloor: number[] = [];
    for (const count of [1_000, 199_000]) {
      await fill(count);
      start();
      const ids = await append(1_000);
      await eventually(() => expect(published).toEqual(expect.arrayContaining(ids)), 20_000);
      await eventually(async () => {
        const [row] = await db.query<{ floor: number }>('select floor from outbox_floor');
        const [last] = await db.query<{ id: number }>('select max(id) as id from outbox_sent');
        expect(row?.floor).toBe(last?.id);
        // Any writing transaction holds the floor back, also one of another test's database.
      }, 60_000);
      await relay?.stop();
      const [row] = await db.query<{ floor: number }>('select floor from outbox_floor');
      costs.push(await costOfPoll(row?.floor ?? 0));
      withoutFloor.push(await costOfPoll(0));
    }
    await snapshot.query('commit');
    await snapshot.end();
    const [few = 0, many = 0] = costs;
    expect(many).toBeLessThanOrEqual(few * 1.3);
    // The dead rows are really there: 20 times the pages, give or take leftovers of other tests.
    expect(withoutFloor[1]).toBeGreaterThan(10 * (withoutFloor[0] ?? 0));
  }, 180_000);
});
