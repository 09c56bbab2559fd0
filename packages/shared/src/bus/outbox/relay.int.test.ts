import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobCompleted } from '../../events/content.ts';
import { fromHeaders } from '../../events/envelope.ts';
import { topics } from '../../events/topics.ts';
import { runInContext } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { createLogger } from '../../kernel/logger.ts';
import type { Database, Sql } from '../../postgres/db.ts';
import { closeDedicatedConnection, openDedicatedConnection } from '../../postgres/dedicated-connection.ts';
import { shareConnection } from '../../postgres/shared-connection.ts';
import { type Bus, type BusMessage, type ReceivedMessage, RetryLaterError } from '../port.ts';
import { createPostgresLogBus } from '../postgres-log/bus.ts';
import { appendEvent, appendEvents } from './append.ts';
import { takeRelayLock } from './queries/rows.ts';
import { type OutboxRelay, type OutboxRelayOptions, silenceMaxMs, startOutboxRelay } from './relay.ts';

const log = createLogger({ service: 'test', level: 'silent' });
// The outbox of a real service, so that the role's rights are tested too.
const service = 'content';

const database = perSuite(createMigratedDatabase);
let db: Database;
let busDatabase: Database;
let bus: Bus;
let received: ReceivedMessage[] = [];
let relays: OutboxRelay[] = [];

beforeAll(async () => {
  db = openTestDatabase(database.roleUrl(service), 10);
  busDatabase = openTestDatabase(database.roleUrl('bus'), 6);
  bus = createPostgresLogBus({ database: busDatabase, log });
  await bus.ensureTopics(topics);
  await bus.subscribe({
    group: 'test.recorder',
    topics,
    handler: async message => {
      received.push(message);
    },
  });
});
afterEach(async () => {
  await Promise.all(relays.map(relay => relay.stop()));
  relays = [];
  received = [];
});
afterAll(async () => {
  await bus.close();
  await Promise.all([db.close(), busDatabase.close()]);
});

function startRelay(changes: Partial<OutboxRelayOptions> = {}): OutboxRelay {
  const relay = startOutboxRelay({ service, db, bus, log, pollMs: 30, ...changes });
  relays.push(relay);
  return relay;
}

/** The real bus, with a hook in front of `publish`. */
function busWith(publish: (batch: readonly BusMessage[]) => Promise<void>): Bus {
  return { ...bus, publish };
}

function append(subject: string, change: { work?: () => Promise<void>; data?: unknown } = {}) {
  return db.transaction(async tx => {
    const data = (change.data ?? jobCompleted.example) as typeof jobCompleted.example;
    const at = new Date();
    const event = await appendEvent(tx, jobCompleted, {
      ...{ accountId: 'acct_1', subject, source: service, at, data },
    });
    await change.work?.();
    return event;
  });
}

const idsOf = (messages: readonly ReceivedMessage[]) => messages.map(message => message.headers.ce_id);
const ofKey = (key: string) => received.filter(message => message.key === key);

async function rowsOf(key: string, table = 'outbox'): Promise<{ attempts: number; last_error: string }[]> {
  return await db.query(`select attempts, last_error from ${table} where key = $1 order by id`, [key]);
}

describe('appendEvent', () => {
  it('travels as a CloudEvent with the account, the sequence, the request and the current trace', async () => {
    startRelay();
    const key = newId('content');
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const event = await runInContext({ requestId: 'req_1', traceparent }, () => append(key));
    const [message] = await eventually(() => {
      expect(ofKey(key)).toHaveLength(1);
      return ofKey(key);
    });
    const { data, ...envelope } = event;
    expect(fromHeaders(message?.headers ?? {}, 'content.jobs')).toEqual(envelope);
    expect(envelope).toMatchObject({
      requestId: 'req_1',
      traceparent,
      sequence: 1,
      source: '/services/content',
    });
    expect(JSON.parse(message?.value ?? '')).toEqual(data);
  });

  it('writes nothing when the data breaks the schema or the change rolls back, and loses no sequence by it', async () => {
    const key = newId('content');
    await expect(append(key, { data: { job: 'none' } })).rejects.toThrow();
    const broken = append(key, { work: () => Promise.reject(new Error('the change fails')) });
    await expect(broken).rejects.toThrow('the change fails');
    expect(await rowsOf(key)).toEqual([]);
    expect((await append(key)).sequence).toBe(1);
    expect((await append(key)).sequence).toBe(2);
  });

  it('writes many in their order, each resource counting on', async () => {
    const [one, two] = [newId('content'), newId('content')];
    await append(one);
    const event = (subject: string) => ({
      ...{ accountId: 'acct_1', subject, source: service, at: new Date(), data: jobCompleted.example },
    });
    const subjects = [one, two, one, one];
    const written = await db.transaction(tx => appendEvents(tx, jobCompleted, subjects.map(event)));
    expect(written.map(({ subject, sequence }) => [subject, sequence])).toEqual([
      [one, 2],
      [two, 1],
      [one, 3],
      [one, 4],
    ]);
    const ids = await db.query<{ event_id: string }>(
      'select event_id from outbox where event_id = any($1) order by id',
      [written.map(({ id }) => id)],
    );
    expect(ids.map(row => row.event_id)).toEqual(written.map(({ id }) => id));
    expect(await db.transaction(tx => appendEvents(tx, jobCompleted, []))).toEqual([]);
    startRelay();
    await eventually(() => expect(ofKey(one)).toHaveLength(4));
  });

  it('wakes the relay: nothing waits for the poll', async () => {
    startRelay({ pollMs: 60_000 });
    // The first poll finds what is already there; the second event needs the notification.
    for (const key of [newId('content'), newId('content')]) {
      await append(key);
      await eventually(() => expect(ofKey(key)).toHaveLength(1));
    }
  });
});

describe('outbox relay', () => {
  it('sees an event that was committed while it found nothing, without waiting for the poll', async () => {
    const key = newId('content');
    const listener = await openDedicatedConnection(db.connectionString, 'test listener');
    const notified = new Promise(resolve => listener.once('notification', resolve));
    await listener.query(`listen outbox_${service}`);
    let isFirst = true;
    const interrupted: Database = {
      ...db,
      async query<Row>(text: string, values?: readonly unknown[]) {
        const rows = await db.query<Row>(text, values);
        if (isFirst && text.includes('from outbox where id >')) {
          isFirst = false;
          await append(key);
          await notified;
          // The relay listens too: after one more answer from the server, its notification has arrived.
          await db.query('select pg_sleep(0.05)');
        }
        return rows;
      },
    };
    startRelay({ db: interrupted, pollMs: 60_000 });
    await eventually(() => expect(ofKey(key)).toHaveLength(1));
    await listener.end();
  });

  it('publishes each key in the order of its commits, under load', async () => {
    startRelay({ batchMax: 7 });
    const keys = [newId('content'), newId('content'), newId('content')];
    await Promise.all(Array.from({ length: 90 }, (_, n) => append(keys[n % 3] as string)));
    await eventually(() => expect(received.filter(one => keys.includes(one.key))).toHaveLength(90));
    for (const key of keys) {
      const sequences = ofKey(key).map(message => Number(message.headers.ce_sequence));
      expect(sequences).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
      // The last batch is moved after it was published.
      await eventually(async () => expect(await rowsOf(key)).toEqual([]));
    }
  });

  it('does not pass over a transaction that commits late', async () => {
    startRelay();
    const [late, early] = [newId('content'), newId('content')];
    const hold = Promise.withResolvers<void>();
    const slow = append(late, { work: () => hold.promise });
    await append(early);
    await eventually(() => expect(ofKey(early)).toHaveLength(1));
    expect(ofKey(late)).toEqual([]);
    hold.resolve();
    await slow;
    await eventually(() => expect(ofKey(late)).toHaveLength(1));
  });

  it('a crash between publish and move publishes the same event again, under the same id', async () => {
    const key = newId('content');
    const event = await append(key);
    let crashes = 1;
    const crashing: Database = {
      ...db,
      query(text, values) {
        if (text.includes('delete from outbox') && crashes-- > 0) {
          return Promise.reject(Object.assign(new Error('Connection terminated'), { code: '57P01' }));
        }
        return db.query(text, values);
      },
    };
    startRelay({ db: crashing });
    await eventually(() => expect(idsOf(ofKey(key))).toEqual([event.id, event.id]));
    await eventually(async () => expect(await rowsOf(key)).toEqual([]));
  });

  it('a refused row holds back its own key only; after ten refusals it is in outbox_dead and the key continues', async () => {
    const [bad, good] = [newId('content'), newId('content')];
    const poison = await append(bad);
    const isPoison = (message: BusMessage): boolean => message.headers.ce_id === poison.id;
    let isHeld = true;
    const refusing = busWith(async batch => {
      if (!batch.some(isPoison)) return bus.publish(batch);
      // The last refusal waits until the rest was checked.
      if (isHeld && (await rowsOf(bad))[0]?.attempts === 9) throw new RetryLaterError('held by the test');
      throw new Error('the message is too large');
    });
    const [next, other] = [await append(bad), await append(good)];
    startRelay({ bus: refusing });
    await eventually(() => expect(idsOf(ofKey(good))).toEqual([other.id]));
    await eventually(async () => expect((await rowsOf(bad))[0]?.attempts).toBe(9));
    expect(ofKey(bad)).toEqual([]);
    const marker = await append(good);
    await eventually(() => expect(idsOf(ofKey(good))).toEqual([other.id, marker.id]));
    isHeld = false;
    await eventually(() => expect(idsOf(ofKey(bad))).toEqual([next.id]));
    expect(await rowsOf(bad, 'outbox_dead')).toEqual([
      { attempts: 10, last_error: 'the message is too large' },
    ]);
    expect(await rowsOf(bad)).toEqual([]);
  });

  it('a batch that is too large for the bus is halved, and no row counts as refused', async () => {
    const keys = Array.from({ length: 100 }, () => newId('content'));
    for (const key of keys) await append(key);
    const sizes: number[] = [];
    const narrow = busWith(batch => {
      sizes.push(batch.length);
      return batch.length > 30 ? Promise.reject(new Error('the batch is too large')) : bus.publish(batch);
    });
    startRelay({ bus: narrow });
    await eventually(() => expect(received.filter(one => keys.includes(one.key))).toHaveLength(100));
    expect(sizes).toEqual([100, 50, 25, 25, 50, 25, 25]);
  });

  it.each([
    ['the move', 'delete from outbox'],
    ['the bus', 'insert into messages'],
  ])('a statement of %s that takes too long costs a row no attempt', async (_, slow) => {
    const key = newId('content');
    await append(key);
    let tooLong = 3;
    const slowly = <S extends Sql>(sql: S): S => ({
      ...sql,
      query(text: string, values?: readonly unknown[]) {
        if (!text.includes(slow) || tooLong-- <= 0) return sql.query(text, values);
        return sql.query(`do $$ begin raise 'slow' using errcode = 'query_canceled'; end $$`);
      },
    });
    const slowLog = createPostgresLogBus({
      database: { ...busDatabase, transaction: work => busDatabase.transaction(tx => work(slowly(tx))) },
      log,
    });
    await slowLog.ensureTopics(topics);
    startRelay({ db: slowly(db), bus: { ...slowLog, health: bus.health } });
    await eventually(() => expect(tooLong).toBeLessThanOrEqual(0));
    expect((await rowsOf(key)).map(row => row.attempts)).not.toContain(1);
    await eventually(async () => expect(await rowsOf(key)).toEqual([]));
    expect(await rowsOf(key, 'outbox_dead')).toEqual([]);
    await slowLog.close();
  });

  it('a bus that is away costs a row no attempt; it goes out when the bus is back', async () => {
    const key = newId('content');
    let refusals = 0;
    let isAway = true;
    const away = busWith(batch => {
      if (!isAway) return bus.publish(batch);
      refusals += 1;
      return Promise.reject(new RetryLaterError('no broker answers'));
    });
    await append(key);
    startRelay({ bus: away });
    await eventually(() => expect(refusals).toBeGreaterThan(12));
    expect(await rowsOf(key)).toEqual([{ attempts: 0, last_error: null }]);
    isAway = false;
    await eventually(() => expect(ofKey(key)).toHaveLength(1));
  });

  it('of two relays one publishes; when it stops the other takes over', async () => {
    const counts = [0, 0];
    const counted = (index: 0 | 1): Bus =>
      busWith(async batch => {
        counts[index] = (counts[index] ?? 0) + batch.length;
        await bus.publish(batch);
      });
    const two = [startRelay({ bus: counted(0) }), startRelay({ bus: counted(1) })];
    const keys = Array.from({ length: 40 }, () => newId('content'));
    for (const key of keys) await append(key);
    await eventually(() => expect(received.filter(one => keys.includes(one.key))).toHaveLength(40));
    expect(counts.toSorted()).toEqual([0, 40]);
    const leader = counts[0] === 40 ? 0 : 1;
    await two[leader]?.stop();
    const key = newId('content');
    await append(key);
    await eventually(() => expect(ofKey(key)).toHaveLength(1));
    expect(counts[leader]).toBe(40);
    expect(counts[1 - leader]).toBe(1);
  });

  it('takes over from a process that stands still', async () => {
    // Such a process keeps the connection and asks nothing.
    const still = await openDedicatedConnection(db.connectionString, 'test standing still');
    await eventually(async () => expect(await takeRelayLock(still, service, silenceMaxMs)).toBe(true));
    const key = newId('content');
    await append(key);
    startRelay();
    await eventually(() => expect(ofKey(key)).toHaveLength(1), 2 * silenceMaxMs);
    await closeDedicatedConnection(still);
  });

  it('goes on after its connection was cut', async () => {
    startRelay();
    const before = newId('content');
    await append(before);
    await eventually(() => expect(ofKey(before)).toHaveLength(1));
    const cut = await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [`${service} outbox relay`],
    );
    expect(cut).toHaveLength(1);
    const after = newId('content');
    await append(after);
    await eventually(() => expect(ofKey(after)).toHaveLength(1));
  });

  it('shares one connection with the relay of another service: each is woken, also after it was cut', async () => {
    const name = 'two outbox relays';
    const connections = shareConnection(database.roleUrl('bus'), name);
    const other = openTestDatabase(database.roleUrl('scheduling'), 2);
    const sessions = () =>
      db.query<{ pid: number }>(
        'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
        [name],
      );
    const publishOne = async (): Promise<void> => {
      const [one, two] = [newId('content'), newId('content')];
      await append(one);
      await other.transaction(tx => {
        const data = jobCompleted.example;
        return appendEvent(tx, jobCompleted, {
          ...{ accountId: 'acct_1', subject: two, source: 'scheduling', at: new Date(), data },
        });
      });
      await eventually(() => expect([ofKey(one).length, ofKey(two).length]).toEqual([1, 1]));
    };
    try {
      startRelay({ connections, pollMs: 60_000 });
      startRelay({ service: 'scheduling', db: other, connections, pollMs: 60_000 });
      await publishOne();
      const before = await sessions();
      expect(before).toHaveLength(1);
      await busDatabase.query('select pg_terminate_backend($1)', [before[0]?.pid]);
      await publishOne();
      await publishOne();
      const after = await sessions();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      await Promise.all(relays.map(relay => relay.stop()));
      await eventually(async () => expect(await sessions()).toEqual([]));
    } finally {
      await Promise.all(relays.map(relay => relay.stop()));
      await other.close();
    }
  });
});
