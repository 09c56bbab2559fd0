import { testKafkaBrokers } from '@hookline/infra/test-infra';
import { openTestDatabase } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { createMigratedDatabase } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createKafkaBus } from '../bus/kafka/bus.ts';
import type { Bus, BusMessage, ReceivedMessage } from '../bus/port.ts';
import { createPostgresLogBus } from '../bus/postgres-log/bus.ts';
import { redriveHeader } from '../bus/redrive.ts';
import { contentApproved } from '../events/content.ts';
import { type EventDefinition, type HooklineEvent, toHeaders } from '../events/envelope.ts';
import { scheduleCreated, scheduleDeleted, scheduleFailed, schedulePublished } from '../events/scheduling.ts';
import { type Topic, topics } from '../events/topics.ts';
import { currentContext } from '../kernel/context.ts';
import { newId } from '../kernel/ids.ts';
import { createLogger } from '../kernel/logger.ts';
import type { Database, Transaction } from '../postgres/db.ts';
import { type Consumer, on, startConsumers } from './consumer.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const brokers = (await testKafkaBrokers())?.split(',') ?? null;

const database = perSuite(createMigratedDatabase);
let db: Database;
/** A pool whose server is down: it throws the errors of a lost Postgres. */
let away: Database;
let busDatabase: Database;
let bus: Bus;
const dead: ReceivedMessage[] = [];

beforeAll(async () => {
  const open = (url: string) => openTestDatabase(url, 6);
  db = open(database.roleUrl('content'));
  away = open('postgres://nobody@127.0.0.1:1/none');
  busDatabase = open(database.roleUrl('bus'));
  bus = createPostgresLogBus({ database: busDatabase, log });
  await bus.ensureTopics(topics);
  await bus.subscribe({
    group: 'test.dead-letters',
    topics: topics.map(topic => `${topic}.dlq`),
    handler: async message => {
      dead.push(message);
    },
  });
});
afterAll(async () => {
  await bus.close();
  await Promise.all([db, away, busDatabase].map(one => one.close()));
});

function messageOf(
  definition: EventDefinition,
  key: string,
  change: Partial<HooklineEvent> = {},
): BusMessage {
  const event: HooklineEvent = {
    id: newId('event'),
    type: definition.type,
    version: definition.version,
    topic: definition.topic,
    subject: key,
    accountId: 'acct_1',
    sequence: 1,
    requestId: newId('req'),
    time: '2026-11-21T09:00:00.000Z',
    source: '/services/scheduling',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data: definition.example,
    ...change,
  };
  return { topic: event.topic, key, value: JSON.stringify(event.data), headers: toHeaders(event) };
}

type Consuming = { seen: Seen[]; group: string };
type Seen = { key: string; id: string; requestId: string | undefined };

/** A consumer in its own group that records what reaches its effect. */
async function consume(
  change: {
    db?: Database;
    definition?: EventDefinition;
    reactions?: Consumer['reactions'];
    gathers?: boolean;
  } = {},
): Promise<Consuming> {
  const seen: Seen[] = [];
  const name = newId('req');
  const reactions = change.reactions ?? [
    on(change.definition ?? schedulePublished, async (_, event) => {
      seen.push({ key: event.subject, id: event.id, requestId: currentContext()?.requestId });
    }),
  ];
  const consumer = { name, reactions, gathers: change.gathers ?? false };
  await startConsumers({ service: 'content', db: change.db ?? db, bus, log }, [consumer]);
  return { seen, group: `content.${name}` };
}

/**
 * Publishes the messages of one key, then one of that key that must die. Order holds per key: once that one
 * is dead, all before it are settled, and any effect missing by then never happens.
 */
async function publishAndSettle(
  messages: readonly BusMessage[],
  { seen, group }: Consuming,
  definition: EventDefinition = schedulePublished,
) {
  const key = messages[0]?.key ?? '';
  const last = messageOf(definition, key, { version: 0 });
  const isLast = (message: ReceivedMessage): boolean => message.headers.ce_id === last.headers.ce_id;
  await bus.publish([...messages, last]);
  const letters = () => dead.filter(message => message.headers.dlq_group === group && message.key === key);
  await eventually(() => expect(letters().filter(isLast)).toHaveLength(1), 20_000);
  return {
    effects: seen.filter(one => one.key === key),
    letters: letters().filter(message => !isLast(message)),
  };
}

describe('consumer', () => {
  it('runs the effect with the event, in the request that caused it', async () => {
    const consuming = await consume();
    const key = newId('schedule');
    const message = messageOf(schedulePublished, key, { requestId: 'req_origin' });
    const { effects, letters } = await publishAndSettle([message], consuming);
    expect(effects).toEqual([{ key, id: message.headers.ce_id, requestId: 'req_origin' }]);
    expect(letters).toEqual([]);
  });

  it('skips types that it does not name, whatever their version and data', async () => {
    const key = newId('schedule');
    const unnamed = [
      messageOf(scheduleFailed, key),
      messageOf(scheduleCreated, key, { version: 9, data: 'anything' }),
      messageOf({ ...scheduleCreated, type: 'schedule.renamed' }, key),
    ];
    const { effects, letters } = await publishAndSettle(unnamed, await consume());
    expect(effects).toEqual([]);
    expect(letters).toEqual([]);
  });

  const example = schedulePublished.example as Record<string, unknown>;
  it.each<[string, (key: string) => BusMessage]>([
    ['a version that is no longer known', key => messageOf(schedulePublished, key, { version: 0 })],
    [
      'data that breaks the schema',
      key => messageOf(schedulePublished, key, { data: { ...example, schedule: 1 } }),
    ],
    ['a value that is not JSON', key => ({ ...messageOf(schedulePublished, key), value: '{"schedule":' })],
    ['headers of no event', key => ({ ...messageOf(schedulePublished, key), headers: { ce_id: 'x' } })],
  ])('dead-letters %s at once and goes on with the next of its key', async (_, make) => {
    const key = newId('schedule');
    const [message, next] = [make(key), messageOf(schedulePublished, key)];
    const { effects, letters } = await publishAndSettle([message, next], await consume());
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({
      value: message.value,
      headers: { ...message.headers, dlq_attempts: '1' },
    });
    expect(effects.map(effect => effect.id)).toEqual([next.headers.ce_id]);
  });

  it('an effect that fails is rolled back with its inbox row, tried four times, then dead-lettered', async () => {
    const key = newId('schedule');
    let attempts = 0;
    const consuming = await consume({
      reactions: [
        on(schedulePublished, async (tx, event) => {
          if (event.subject !== key) return;
          await tx.query(`insert into daily_generations values ($1, '2026-11-21', 1)`, [key]);
          attempts += 1;
          throw new Error('the effect fails');
        }),
      ],
    });
    const message = messageOf(schedulePublished, key);
    const { letters } = await publishAndSettle([message], consuming);
    expect(letters).toHaveLength(1);
    expect(attempts).toBe(4);
    expect(await db.query('select 1 from daily_generations where account_id = $1', [key])).toEqual([]);
    const inbox = 'select 1 from inbox where consumer = $1 and event_id = $2';
    expect(await db.query(inbox, [consuming.group, message.headers.ce_id])).toEqual([]);
  });

  it('while the database is away an event is tried again, more often than a fault is, and never dead-lettered', async () => {
    let refusals = 0;
    const returning: Database = {
      ...db,
      transaction(work) {
        if (refusals >= 5) return db.transaction(work);
        refusals += 1;
        return away.transaction(work);
      },
    };
    // No other test writes to this topic: all five refusals, one more than a fault gets, hit the one event.
    const consuming = await consume({ db: returning, definition: contentApproved });
    const message = messageOf(contentApproved, newId('content'));
    const { effects, letters } = await publishAndSettle([message], consuming, contentApproved);
    expect(refusals).toBe(5);
    expect(effects.map(effect => effect.id)).toEqual([message.headers.ce_id]);
    expect(letters).toEqual([]);
  });

  const strict = { ...schedulePublished, data: z.strictObject({}) };
  it.each<[string, [EventDefinition, EventDefinition], object]>([
    ['a version', [schedulePublished, { ...schedulePublished, version: 2 }], schedulePublished.example],
    [
      'a field',
      [strict, { ...strict, data: z.strictObject({ tone: z.string().optional() }) }],
      { tone: 'dry' },
    ],
  ])(
    '%s newer than the process waits for one that knows it, with what is behind it',
    async (_, known, data) => {
      const retried: string[] = [];
      const onRetry = ({ message }: { message: { headers: Readonly<Record<string, string>> } }): void => {
        retried.push(message.headers.ce_id ?? '');
      };
      const oldBus = createPostgresLogBus({ database: busDatabase, log, hooks: { onRetry } });
      const seen: string[] = [];
      const name = newId('req');
      const start = (onBus: Bus, versions: readonly EventDefinition[]) => {
        const effect = async (_: unknown, event: HooklineEvent): Promise<void> => {
          seen.push(event.id);
        };
        const reactions = versions.map(definition => on(definition, effect));
        return startConsumers({ service: 'content', db, bus: onBus, log }, [{ name, reactions }]);
      };
      await start(oldBus, known.slice(0, 1));
      const key = newId('schedule');
      const messages = [messageOf(known[1], key, { data }), messageOf(known[0], key, { data })];
      await bus.publish(messages);
      const ids = messages.map(message => message.headers.ce_id);
      await eventually(() => expect(retried.filter(id => id === ids[0]).length).toBeGreaterThan(4), 20_000);
      await oldBus.close();
      const newBus = createPostgresLogBus({ database: busDatabase, log });
      await start(newBus, known.toReversed());
      const ofKey = () => seen.filter(id => ids.includes(id));
      await eventually(() => expect(ofKey()).toEqual(ids), 20_000);
      await newBus.close();
      expect(dead.filter(one => one.key === key && one.headers.dlq_group === `content.${name}`)).toEqual([]);
    },
  );

  it('a version that stays unknown is dead-lettered, and those behind it do not wait as long again', async () => {
    const name = newId('req');
    const reactions = [on(schedulePublished, async () => {})];
    const runtime = { service: 'content', db, bus, log, holdMaxMs: 1_500 } as const;
    await startConsumers(runtime, [{ name, reactions }]);
    const key = newId('schedule');
    const messages = Array.from({ length: 3 }, () => messageOf(schedulePublished, key, { version: 2 }));
    await bus.publish(messages);
    const letters = () => dead.filter(one => one.key === key && one.headers.dlq_group === `content.${name}`);
    await eventually(() => expect(letters()).toHaveLength(3), 20_000);
    const attempts = letters().map(one => Number(one.headers.dlq_attempts));
    expect(attempts[0]).toBeGreaterThan(1);
    expect(attempts.slice(1)).toEqual([1, 1]);
  });

  it('a dead letter that was put back is for the group that it died in alone', async () => {
    const consuming = await consume();
    const key = newId('schedule');
    const forGroup = (group: string): BusMessage => {
      const message = messageOf(schedulePublished, key);
      return { ...message, headers: { ...message.headers, [redriveHeader]: group } };
    };
    const messages = [forGroup('content.other'), forGroup(consuming.group)];
    const { effects, letters } = await publishAndSettle(messages, consuming);
    expect(effects.map(effect => effect.id)).toEqual([messages[1]?.headers.ce_id]);
    expect(letters).toEqual([]);
  });

  it('a table that is locked holds up its own events only, for as long as it is, and none is dead-lettered', async () => {
    const [locked, other] = [newId('schedule'), newId('schedule')];
    let attempts = 0;
    const seen: string[] = [];
    const consuming = await consume({
      reactions: [
        on(schedulePublished, async (tx, event) => {
          if (event.subject === other) seen.push(other);
          if (event.subject !== locked) return;
          attempts += 1;
          // The limit of every connection is 10 s; the error is the same.
          await tx.query(`set local statement_timeout = '100ms'`);
          await tx.query(`insert into daily_generations values ($1, '2026-11-21', 1)`, [locked]);
          seen.push(locked);
        }),
      ],
    });
    const holder = openTestDatabase(database.url, 1);
    await holder.transaction(async tx => {
      await tx.query('lock table content.daily_generations in access exclusive mode');
      await bus.publish([messageOf(schedulePublished, locked)]);
      await eventually(() => expect(attempts).toBeGreaterThan(0));
      await bus.publish([messageOf(schedulePublished, other)]);
      await eventually(() => expect(seen).toEqual([other]));
      // More attempts than an error of the handler itself gets.
      await eventually(() => expect(attempts).toBeGreaterThan(5), 20_000);
    });
    await eventually(() => expect(seen).toEqual([other, locked]), 20_000);
    const letters = dead.filter(
      ({ key, headers }) => key === locked && headers.dlq_group === consuming.group,
    );
    expect(letters).toEqual([]);
    await holder.close();
  });

  it('a message that alone never ends in time is dead-lettered, once others of its group were handled', async () => {
    const [slow, other] = [newId('schedule'), newId('schedule')];
    const name = newId('req');
    let attempts = 0;
    const effect = async (tx: Transaction, { subject }: HooklineEvent): Promise<void> => {
      if (subject !== slow) return;
      attempts += 1;
      await tx.query(`set local statement_timeout = '20ms'`);
      await tx.query('select pg_sleep(1)');
    };
    const runtime = { service: 'content', db, bus, log, holdMaxMs: 500 } as const;
    await startConsumers(runtime, [{ name, reactions: [on(scheduleDeleted, effect)] }]);
    const letters = () => dead.filter(one => one.key === slow && one.headers.dlq_group === `content.${name}`);
    await bus.publish([messageOf(scheduleDeleted, slow)]);
    // Over half a second, and more attempts than an error of the handler itself gets.
    await eventually(() => expect(attempts).toBeGreaterThan(5), 20_000);
    expect(letters()).toEqual([]);
    await bus.publish([messageOf(scheduleDeleted, other)]);
    await eventually(() => expect(letters()).toHaveLength(1), 20_000);
    expect(letters()[0]?.headers.dlq_error_message).toContain('statement timeout');
  });
});

describe.skipIf(brokers === null)('a consumer on Kafka', () => {
  it('waits for a lock with its whole partition; other partitions go on, and none is dead-lettered', async () => {
    const onKafka = createKafkaBus({ brokers: brokers ?? [], clientId: 'hookline-consumer', log });
    const topic = newId('req') as Topic;
    const definition = { ...schedulePublished, topic };
    await onKafka.ensureTopics([topic]);
    const locked = newId('schedule');
    const keys = Array.from({ length: 30 }, () => newId('schedule'));
    let attempts = 0;
    const seen: string[] = [];
    const effect = async (tx: Transaction, { subject }: HooklineEvent): Promise<void> => {
      if (subject === locked) {
        attempts += 1;
        // The limit of every connection is 10 s; the error is the same.
        await tx.query(`set local statement_timeout = '100ms'`);
        await tx.query(`insert into daily_generations values ($1, '2026-11-21', 1)`, [locked]);
      }
      seen.push(subject);
    };
    const consumer = { name: newId('req'), reactions: [on(definition, effect)] };
    await startConsumers({ service: 'content', db, bus: onKafka, log }, [consumer]);
    const holder = openTestDatabase(database.url, 1);
    const behind: string[] = [];
    const elsewhere: string[] = [];
    await holder.transaction(async tx => {
      await tx.query('lock table content.daily_generations in access exclusive mode');
      await onKafka.publish([locked, ...keys].map(key => messageOf(definition, key)));
      await onKafka.readBack(topic, async messages => {
        const here = messages.map(({ key }) => key);
        (here.includes(locked) ? behind : elsewhere).push(...here.filter(key => key !== locked));
        return false;
      });
      await eventually(() => expect(seen.toSorted()).toEqual(elsewhere.toSorted()), 20_000);
      await eventually(() => expect(attempts).toBeGreaterThan(4), 20_000);
      expect(seen).toHaveLength(elsewhere.length);
    });
    await eventually(() => expect(seen).toHaveLength(keys.length + 1), 20_000);
    expect(seen.slice(elsewhere.length)).toEqual([locked, ...behind]);
    const dead = await onKafka.lag('nobody', [`${topic}.dlq`]);
    expect(dead.reduce((sum, { lag }) => sum + lag, 0)).toBe(0);
    await holder.close();
    await onKafka.close();
  }, 60_000);
});

describe('a consumer that gathers', () => {
  it('has each effect once and in the order of its key, in the request of its own message', async () => {
    const consuming = await consume({ gathers: true });
    const keys = Array.from({ length: 20 }, () => newId('schedule'));
    const sent = [1, 2, 3].flatMap(sequence =>
      keys.map(key => messageOf(schedulePublished, key, { sequence, requestId: `req_${key}_${sequence}` })),
    );
    await bus.publish([...sent, ...sent]);
    for (const [at, key] of keys.entries()) {
      const { effects } = await publishAndSettle([messageOf(schedulePublished, key)], consuming);
      const requests = effects.slice(0, -1).map(({ requestId }) => requestId);
      expect(requests).toEqual([1, 2, 3].map(sequence => `req_${keys[at]}_${sequence}`));
    }
  });

  it('repeats one that fails alone: it is dead-lettered, the others have their effects', async () => {
    const bad = newId('schedule');
    const written: string[] = [];
    const reactions = [
      on(schedulePublished, async (tx, event) => {
        await tx.query('select $1::text', [event.id]);
        if (event.subject === bad) throw new Error('refused');
        written.push(event.subject);
      }),
    ];
    const { group } = await consume({ gathers: true, reactions });
    const keys = Array.from({ length: 30 }, () => newId('schedule'));
    const sent = [...keys.slice(0, 15), bad, ...keys.slice(15)].map(key => messageOf(schedulePublished, key));
    await bus.publish(sent);
    // A new group has all messages of the topic before it, including those of other tests.
    const ids = sent.map(({ headers }) => headers.ce_id);
    const letters = () =>
      dead.filter(({ headers }) => headers.dlq_group === group && ids.includes(headers.ce_id));
    await eventually(() => expect(letters().map(({ key }) => key)).toEqual([bad]), 20_000);
    await eventually(async () => {
      const [row] = await db.query<{ count: number }>(
        'select count(*)::int as count from inbox where consumer = $1 and event_id = any ($2)',
        [group, ids],
      );
      expect(row?.count).toBe(30);
    }, 20_000);
    expect(written).toEqual(expect.arrayContaining(keys));
  });
});
