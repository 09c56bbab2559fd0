/** A sender that starts compares its own events with the database, whoever else is in their group. */
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { createMigratedDatabase, type TestService } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOpenPause } from '../src/queries/sending-pauses.ts';
import { inMs, publishWaiting, startWorld, type World } from './world.ts';

const group = 'scheduling.own-events';
const topic = 'scheduling.schedules';
// Several polls of the sender, which polls every 500 ms here.
const quietMs = 2_000;

let busDatabase: Awaited<ReturnType<typeof createMigratedDatabase>>;
let world: World;
let senders: TestService[] = [];
let held = Promise.withResolvers<void>();

beforeEach(async () => {
  busDatabase = await createMigratedDatabase();
  world = await startWorld({ role: 'api', busUrl: busDatabase.roleUrl('bus') });
  // A sender has run before, as in a running product.
  await (await world.startAnother()).stop();
});
afterEach(async () => {
  held.resolve();
  await Promise.all(senders.map(sender => sender.stop()));
  senders = [];
  await world.stop();
  await busDatabase.drop();
});

async function startSender(): Promise<TestService> {
  const sender = await world.startAnother();
  senders.push(sender);
  return sender;
}

/** A member that does nothing and holds the group, like a dead one until its session ends. */
async function holdGroup(): Promise<void> {
  held = Promise.withResolvers();
  await world.service.bus.subscribe({ group, topics: [topic], handler: () => held.promise });
}

/** A schedule that is due, with its event on the bus, and no process that would send it. */
async function prepareDue() {
  const ready = await world.ready();
  const { caller, content, account } = ready;
  const asked = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(1_000) };
  const { body, text } = await world.schedule(caller, asked);
  expect(body.data, text).toBeDefined();
  await publishWaiting(world.service);
  await new Promise(resolve => setTimeout(resolve, 1_000));
  return { ...ready, id: body.data.id as string };
}

/** A schedule for later. @returns its id */
async function prepareFar(): Promise<string> {
  const { caller, content, account } = await world.ready();
  const asked = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(3_600_000) };
  const { body } = await world.schedule(caller, asked);
  return body.data.id;
}

/** Publishes an event of this service that this database never had. */
async function publishUnknown(id: string): Promise<void> {
  const created = await eventually(() => {
    const found = world.service.published.find(message => message.topic === topic && message.key === id);
    if (!found) throw new Error('the event of the creation is not there yet');
    return found;
  });
  const headers = { ...created.headers, ce_id: newId('event'), ce_sequence: '9' };
  await world.service.bus.publish([{ topic, key: id, value: created.value, headers }]);
}

async function onBus(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: busDatabase.roleUrl('bus') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function recorded(): Promise<number> {
  const [row] = await world.service.db.query<{ settled: number }>('select settled from witnessed_offsets');
  return row?.settled ?? 0;
}

async function endOfBus(): Promise<number> {
  const [lag] = await world.service.bus.lag(group, [topic]);
  return lag?.end ?? 0;
}

async function expectPaused(username: string): Promise<void> {
  const { db } = world.service;
  await eventually(async () => expect((await findOpenPause(db))?.cause).toBe('went_back'), 15_000);
  await new Promise(resolve => setTimeout(resolve, quietMs));
  expect(await world.posts(username)).toEqual([]);
}

it('sends within 2 s although a dead member still holds the group', async () => {
  await holdGroup();
  const { caller, id, username } = await prepareDue();
  expect(await recorded()).toBeLessThan(await endOfBus());
  const beganMs = performance.now();
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
  expect(performance.now() - beganMs).toBeLessThan(2_000);
  expect(await world.posts(username)).toHaveLength(1);
  expect(await findOpenPause(world.service.db)).toBeNull();
});

it('pauses for an event between the record and the end that the database does not have', async () => {
  await holdGroup();
  const due = await prepareDue();
  await publishUnknown(due.id);
  // Published from this database afterwards, as its relay does at a start: the last events are known.
  await prepareDue();
  await startSender();
  await expectPaused(due.username);
});

it('compares a topic that was made anew from its beginning', async () => {
  await publishWaiting(world.service);
  for (let count = 0; count < 5; count += 1) await prepareDue();
  await (await startSender()).stop();
  await holdGroup();
  const due = await prepareDue();
  const before = await recorded();
  await onBus(`delete from messages`, `delete from cursors`, `update topics set head = 0`);
  await publishUnknown(due.id);
  expect(await endOfBus()).toBeLessThan(before);
  await startSender();
  await expectPaused(due.username);
  expect(await recorded()).toBe(await endOfBus());
});

it('sends on with a topic that was made anew and holds nothing unknown', async () => {
  await prepareDue();
  await (await startSender()).stop();
  await holdGroup();
  await onBus(`delete from messages`, `delete from cursors`, `update topics set head = 0`);
  const { caller, id } = await prepareDue();
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
});

it('compares what the group has confirmed before it goes on behind it', async () => {
  // The sender has no due post, so it has no memory of its own.
  await startSender();
  await prepareFar();
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
  const { db } = world.service;
  const [kept] = await db.query<{ settled: number }>('select settled from witnessed_offsets');
  const other = await prepareFar();
  await publishWaiting(world.service);
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
  // The database goes back to before the second schedule, and this process notices nothing.
  await db.query('update witnessed_offsets set settled = $1', [kept?.settled]);
  await db.query('delete from event_sequences where resource = $1', [`schedule:${other}`]);
  expect(await findOpenPause(db)).toBeNull();
  await prepareFar();
  await eventually(async () => expect((await findOpenPause(db))?.cause).toBe('went_back'), 15_000);
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
});

/** The group has confirmed a message that is no event, and the record ends before it. */
async function confirmUnreadable(): Promise<void> {
  const { bus, db } = world.service;
  const [before] = await db.query<{ settled: number }>('select settled from witnessed_offsets');
  await bus.publish([{ topic, key: 'unreadable', value: 'unreadable', headers: {} }]);
  await eventually(async () => {
    const [lag] = await bus.lag(group, [topic]);
    expect([lag?.confirmed, await recorded()]).toEqual([lag?.end, lag?.end]);
  });
  // Kafka's adapter confirms a value that is not text, and calls no handler.
  await db.query('update witnessed_offsets set settled = $1', [before?.settled]);
}

it('goes on behind a message that the group has confirmed and that is no event', async () => {
  await startSender();
  await prepareFar();
  await publishWaiting(world.service);
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
  await confirmUnreadable();
  await prepareFar();
  await publishWaiting(world.service);
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
  expect(await findOpenPause(world.service.db)).toBeNull();
});

it('starts behind a message that the group has confirmed and that is no event', async () => {
  const sender = await startSender();
  await prepareFar();
  await publishWaiting(world.service);
  await eventually(async () => expect(await recorded()).toBe(await endOfBus()));
  await confirmUnreadable();
  await sender.stop();
  const { caller, id } = await prepareDue();
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
  expect(await findOpenPause(world.service.db)).toBeNull();
});
