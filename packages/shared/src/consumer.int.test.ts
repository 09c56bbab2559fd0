import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, BusMessage, ReceivedMessage } from './bus/port.ts';
import { createPostgresLogBus } from './bus/postgres-log.ts';
import { type Consumer, on, startConsumers } from './consumer.ts';
import { currentContext } from './context.ts';
import { type Database, openDatabase } from './db.ts';
import { type EventDefinition, type HooklineEvent, toHeaders } from './events/envelope.ts';
import { scheduleCreated, scheduleFailed, schedulePublished } from './events/scheduling.ts';
import { topics } from './events/topics.ts';
import { newId } from './ids.ts';
import { createLogger } from './logger.ts';
import { eventually } from './testing/eventually.ts';
import { createMigratedDatabase } from './testing/service-harness.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const topic = 'scheduling.schedules';

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Database;
/** A pool whose server is not there: what it throws is what a lost Postgres throws. */
let away: Database;
let busDatabase: Database;
let bus: Bus;
const dead: ReceivedMessage[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  const open = (url: string) => openDatabase({ url, connectionsMax: 6, name: 'test', log });
  db = open(database.roleUrl('analytics'));
  away = open('postgres://nobody@127.0.0.1:1/none');
  busDatabase = open(database.roleUrl('bus'));
  bus = createPostgresLogBus({ database: busDatabase, log });
  await bus.ensureTopics(topics);
  await bus.subscribe({
    group: 'test.dead-letters',
    topics: [`${topic}.dlq`],
    handler: async message => {
      dead.push(message);
    },
  });
});
afterAll(async () => {
  await bus.close();
  await Promise.all([db, away, busDatabase].map(one => one.close()));
  await database.drop();
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
    topic,
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
  return { topic, key, value: JSON.stringify(event.data), headers: toHeaders(event) };
}

type Consuming = { seen: Seen[]; group: string };
type Seen = { key: string; id: string; requestId: string | undefined };

/** A consumer of its own group that writes down what reaches its effect. */
async function consume(
  change: { effect?: () => Promise<void>; db?: Database; reactions?: Consumer['reactions'] } = {},
): Promise<Consuming> {
  const seen: Seen[] = [];
  const name = newId('req');
  const reactions = change.reactions ?? [
    on(schedulePublished, async (_, event) => {
      await change.effect?.();
      seen.push({ key: event.subject, id: event.id, requestId: currentContext()?.requestId });
    }),
  ];
  await startConsumers({ service: 'analytics', db: change.db ?? db, bus, log }, [{ name, reactions }]);
  return { seen, group: `analytics.${name}` };
}

/** Publishes the messages, then one that must arrive and one that must die: what has not happened until then, never will. */
async function publishAndSettle(messages: BusMessage[], { seen, group }: Consuming): Promise<void> {
  const [marker, deadMarker] = [newId('schedule'), newId('schedule')];
  const spoilt = messageOf(schedulePublished, deadMarker, { version: 99 });
  await bus.publish([...messages, spoilt, messageOf(schedulePublished, marker)]);
  await eventually(() => expect(seen.map(one => one.key)).toContain(marker));
  await eventually(() => expect(deadOf(group, deadMarker)).toHaveLength(1));
}

function deadOf(group: string, key: string): ReceivedMessage[] {
  return dead.filter(message => message.headers.dlq_group === group && message.key === key);
}

describe('consumer', () => {
  it('runs the effect with the event, in the request and trace that caused it', async () => {
    const consuming = await consume();
    const key = newId('schedule');
    const message = messageOf(schedulePublished, key, { requestId: 'req_origin' });
    await publishAndSettle([message], consuming);
    expect(consuming.seen.filter(one => one.key === key)).toEqual([
      { key, id: message.headers.ce_id, requestId: 'req_origin' },
    ]);
  });

  it('has one effect for an event that comes three times', async () => {
    const consuming = await consume();
    const key = newId('schedule');
    const message = messageOf(schedulePublished, key);
    await publishAndSettle([message, message, message], consuming);
    expect(consuming.seen.filter(one => one.key === key)).toHaveLength(1);
  });

  it('passes over types that it does not name, whatever their version and data', async () => {
    const consuming = await consume();
    const key = newId('schedule');
    const unnamed = [
      messageOf(scheduleFailed, key),
      messageOf(scheduleCreated, key, { version: 9, data: 'anything' }),
      messageOf({ ...scheduleCreated, type: 'schedule.renamed' }, key),
    ];
    await publishAndSettle(unnamed, consuming);
    expect(consuming.seen.filter(one => one.key === key)).toEqual([]);
    expect(deadOf(consuming.group, key)).toEqual([]);
  });

  const example = schedulePublished.example as Record<string, unknown>;
  it.each<[string, (key: string) => BusMessage]>([
    ['an unknown version', key => messageOf(schedulePublished, key, { version: 2 })],
    [
      'data that breaks the schema',
      key => messageOf(schedulePublished, key, { data: { ...example, schedule: 1 } }),
    ],
    ['a value that is no JSON', key => ({ ...messageOf(schedulePublished, key), value: '{"schedule":' })],
    ['headers of no event', key => ({ ...messageOf(schedulePublished, key), headers: { ce_id: 'x' } })],
  ])('dead-letters %s at once and goes on with the next', async (_, make) => {
    const consuming = await consume();
    const key = newId('schedule');
    const message = make(key);
    await publishAndSettle([message], consuming);
    await eventually(() => expect(deadOf(consuming.group, key)).toHaveLength(1));
    const [letter] = deadOf(consuming.group, key);
    expect(letter).toMatchObject({
      value: message.value,
      headers: { ...message.headers, dlq_attempts: '1' },
    });
    expect(consuming.seen.filter(one => one.key === key)).toEqual([]);
  });

  it('an effect that fails is rolled back with its inbox row, tried four times, then dead-lettered', async () => {
    const key = newId('schedule');
    let attempts = 0;
    const { group } = await consume({
      reactions: [
        on(schedulePublished, async (tx, event) => {
          if (event.subject !== key) return;
          await tx.query(`insert into schedule_outcomes values ($1, '2026-11-21', 'failed', 1)`, [key]);
          attempts += 1;
          throw new Error('the effect fails');
        }),
      ],
    });
    const message = messageOf(schedulePublished, key);
    await bus.publish([message]);
    await eventually(() => expect(deadOf(group, key)).toHaveLength(1));
    expect(attempts).toBe(4);
    expect(await db.query('select 1 from schedule_outcomes where account_id = $1', [key])).toEqual([]);
    const inbox = 'select 1 from inbox where consumer = $1 and event_id = $2';
    expect(await db.query(inbox, [group, message.headers.ce_id])).toEqual([]);
  });

  it('while the database is away an event is tried again, for longer than a fault is, and never dead-lettered', async () => {
    const key = newId('schedule');
    let refusals = 0;
    const returning: Database = {
      ...db,
      transaction(work) {
        // More than the four attempts that an effect of its own gets.
        if (refusals >= 6) return db.transaction(work);
        refusals += 1;
        return away.transaction(work);
      },
    };
    const consuming = await consume({ db: returning });
    // Only what comes from now on counts: a new group starts at the oldest message.
    await eventually(() => expect(refusals).toBe(6), 20_000);
    await publishAndSettle([messageOf(schedulePublished, key)], consuming);
    expect(consuming.seen.filter(one => one.key === key)).toHaveLength(1);
    expect(
      dead.filter(message => message.headers.dlq_group === consuming.group && isReadable(message)),
    ).toEqual([]);
  });
});

/** Messages that the tests before have spoilt are dead letters of every new group. */
function isReadable({ headers, value }: ReceivedMessage): boolean {
  return headers.ce_dataversion === '1' && value === JSON.stringify(schedulePublished.example);
}
