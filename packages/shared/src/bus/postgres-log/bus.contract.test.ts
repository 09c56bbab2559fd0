import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createTestDatabase } from '@hookline/infra/test-databases';
import { testPostgresUrl } from '@hookline/infra/test-infra';
import { busContract, keepIn, lagOf, message, startVictim, uniqueName } from '@hookline/testing/bus-contract';
import { openTestDatabase } from '@hookline/testing/database';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../postgres/db.ts';
import { type Bus, type ReceivedMessage, RetryLaterError } from '../port.ts';
import { redriveGroup } from '../topic-names.ts';
import { createPostgresLogBus, deleteOldMessages, type PostgresLogOptions } from './bus.ts';

const log = pino({ level: 'silent' });
const patient = { timeout: 15_000, interval: 20 };

type LogServer = {
  url: string;
  openBus(options?: Partial<PostgresLogOptions>): { bus: Bus; database: Database; close(): Promise<void> };
  close(): Promise<void>;
};

async function openLogServer(): Promise<LogServer> {
  const database = await createTestDatabase({
    serverUrl: await testPostgresUrl(),
    template: 'bus',
    prepare: migrateBus,
  });
  const url = withSearchPath(database.url);
  return {
    url,
    openBus(options) {
      const opened = openTestDatabase(url);
      const bus = createPostgresLogBus({ database: opened, log, ...options });
      return { bus, database: opened, close: () => opened.close() };
    },
    close: () => database.drop(),
  };
}

/** The role `bus` has this path, because the queries name no schema. */
function withSearchPath(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', '-c search_path=bus');
  return changed.href;
}

async function migrateBus(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: withSearchPath(url) });
  await client.connect();
  await client.query('create schema bus');
  await client.query(
    await readFile(new URL('../../../migrations/bus/0001_log.sql', import.meta.url), 'utf8'),
  );
  await client.end();
}

busContract('Postgres log', async () => {
  const server = await openLogServer();
  return { ...server, victimBus: { adapter: 'postgres', url: server.url } };
});

describe('Postgres log', () => {
  let server: LogServer;
  let opened: ReturnType<LogServer['openBus']>[] = [];

  beforeAll(async () => {
    server = await openLogServer();
  });
  afterAll(() => server?.close());
  afterEach(async () => {
    for (const { bus, close } of opened) {
      await bus.close(1_000);
      await close();
    }
    opened = [];
  });

  function openBus(options?: Partial<PostgresLogOptions>): { bus: Bus; database: Database } {
    const one = server.openBus(options);
    opened.push(one);
    return one;
  }

  async function madeTopic(bus: Bus): Promise<string> {
    const topic = uniqueName('topic');
    await bus.ensureTopics([topic]);
    return topic;
  }

  it('keys that must wait do not stop the others, however many wait', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const settled: string[] = [];
    let isAway = true;
    await bus.subscribe({
      group: uniqueName('group'),
      topics: [topic],
      handler: async ({ key }) => {
        if (isAway && key.startsWith('waiting')) throw new RetryLaterError('away');
        settled.push(key);
      },
    });
    const waiting = Array.from({ length: 20 }, (_, n) => `waiting ${n}`);
    const free = Array.from({ length: 200 }, (_, n) => `free ${n}`);
    await bus.publish([...waiting, ...free].map(key => message(topic, key, key)));
    await vi.waitFor(() => expect(settled.toSorted()).toEqual(free.toSorted()), patient);
    isAway = false;
    await vi.waitFor(() => expect(settled).toHaveLength(220), patient);
  });

  it('the cursor stays before an unsettled message, so a new process repeats it', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const group = uniqueName('group');
    const settled: string[] = [];
    await bus.subscribe({
      group,
      topics: [topic],
      handler: async ({ key }) => {
        if (key === 'stuck') throw new RetryLaterError('away');
        settled.push(key);
      },
    });
    await bus.publish(['before', 'stuck', 'after'].map(key => message(topic, key, key)));
    await vi.waitFor(() => expect(settled.toSorted()).toEqual(['after', 'before']), patient);
    await vi.waitFor(async () => expect(await lagOf(bus, group, topic)).toBe(2), patient);
    await bus.close();
    const received: ReceivedMessage[] = [];
    await openBus().bus.subscribe({ group, topics: [topic], handler: keepIn(received) });
    await vi.waitFor(
      () => expect(received.map(one => one.key).toSorted()).toEqual(['after', 'stuck']),
      patient,
    );
  });

  it('a backlog longer than the window, in front of which one message waits, is caught up after it', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const group = uniqueName('group');
    await bus.publish(Array.from({ length: 1_500 }, (_, n) => message(topic, `k${n}`, String(n))));
    const values = new Set<string>();
    await bus.subscribe({
      group,
      topics: [topic],
      handler: async ({ value, attempt }) => {
        if (value === '0' && attempt < 3) throw new RetryLaterError('away');
        values.add(value);
      },
    });
    await vi.waitFor(() => expect(values.size).toBe(1_500), patient);
    await vi.waitFor(async () => expect(await lagOf(bus, group, topic)).toBe(0), patient);
  });

  it('wakes by the notification of another process, long before the poll', async () => {
    const { bus } = openBus({ pollMs: 60_000 });
    const { bus: publisher } = openBus({ pollMs: 60_000 });
    const topic = await madeTopic(bus);
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
    await publisher.publish([message(topic, 'k', '1')]);
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 2_000, interval: 5 });
  });

  it('a standby takes over within 2 s of the death of the process that held the group', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const group = uniqueName('group');
    await bus.publish([message(topic, 'k', 'in flight')]);
    const victim = startVictim({ bus: { adapter: 'postgres', url: server.url }, group, topic });
    await vi.waitFor(() => expect(victim.output()).toContain('in flight'), patient);
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group, topics: [topic], handler: keepIn(received) });
    expect(received).toEqual([]);
    victim.process.kill('SIGKILL');
    await once(victim.process, 'exit');
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 2_000, interval: 10 });
  });

  it('recovers after Postgres cut every connection', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
    await bus.publish([message(topic, 'k', '1')]);
    await vi.waitFor(() => expect(received).toHaveLength(1), patient);
    await cutConnections(server.url);
    await vi.waitFor(async () => expect(await bus.health()).toMatchObject({ ok: false }), patient);
    await vi.waitFor(async () => expect(await bus.health()).toEqual({ ok: true }), patient);
    await bus.publish([message(topic, 'k', '2')]);
    await vi.waitFor(() => expect(received.at(-1)?.value).toBe('2'), patient);
  });

  it('topics that exist are ensured while a process that stands still publishes to them', async () => {
    const { bus, database } = openBus();
    const topic = await madeTopic(bus);
    await database.transaction(async tx => {
      await tx.query('update topics set head = head where topic = $1', [topic]);
      await bus.ensureTopics([topic]);
    });
  });

  it('many publishers at once leave no gap and lose nothing', async () => {
    const { bus } = openBus();
    const topic = await madeTopic(bus);
    const received: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
    const publishers = [openBus().bus, openBus().bus, bus];
    await Promise.all(
      Array.from({ length: 90 }, (_, n) =>
        publishers[n % 3]?.publish([message(topic, `k${n}`, 'x'), message(topic, `k${n}`, 'y')]),
      ),
    );
    await vi.waitFor(() => expect(received).toHaveLength(180), patient);
    const offsets = received.map(one => Number(one.offset)).toSorted((a, b) => a - b);
    expect(offsets).toEqual(Array.from({ length: 180 }, (_, n) => n + 1));
  });

  it('retention deletes what is old and settled by every group, and nothing else', async () => {
    const { bus, database } = openBus();
    const topic = await madeTopic(bus);
    await bus.publish(['old settled', 'old unsettled', 'young'].map(value => message(topic, value, value)));
    const groups = [uniqueName('group'), uniqueName('group')];
    for (const group of groups) await bus.subscribe({ group, topics: [topic], handler: async () => {} });
    for (const group of groups) {
      await vi.waitFor(async () => expect(await lagOf(bus, group, topic)).toBe(0), patient);
    }
    await database.query('update cursors set position = 1 where group_name = $1', [groups[0]]);
    await database.query(
      `update messages set created_at = now() - interval '8 days' where topic = $1 and value like 'old%'`,
      [topic],
    );
    expect(await deleteOldMessages(database, 7)).toBe(1);
    const kept = await database.query<{ value: string }>(
      'select value from messages where topic = $1 order by position',
      [topic],
    );
    expect(kept.map(row => row.value)).toEqual(['old unsettled', 'young']);
    const late: ReceivedMessage[] = [];
    await bus.subscribe({ group: uniqueName('late'), topics: [topic], handler: keepIn(late) });
    await vi.waitFor(
      () => expect(late.map(one => one.value).toSorted()).toEqual(['old unsettled', 'young']),
      patient,
    );
  });

  it('retention keeps dead letters until the operator dealt with them, whichever groups read them', async () => {
    const { bus, database } = openBus();
    const topic = await madeTopic(bus);
    const deadTopic = `${topic}.dlq`;
    await bus.publish(['1', '2'].map(value => message(deadTopic, 'k', value)));
    const scan = uniqueName('operator.scan');
    await bus.subscribe({ group: scan, topics: [deadTopic], handler: async () => {} });
    await vi.waitFor(async () => expect(await lagOf(bus, scan, deadTopic)).toBe(0), patient);
    await database.query(`update messages set created_at = now() - interval '8 days' where topic = $1`, [
      deadTopic,
    ]);
    expect(await deleteOldMessages(database, 7)).toBe(0);
    expect(await lagOf(bus, redriveGroup, deadTopic)).toBe(2);
    await bus.subscribe({ group: redriveGroup, topics: [deadTopic], handler: async () => {} });
    await vi.waitFor(async () => expect(await lagOf(bus, redriveGroup, deadTopic)).toBe(0), patient);
    expect(await deleteOldMessages(database, 7)).toBe(2);
  });
});

async function cutConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
}
