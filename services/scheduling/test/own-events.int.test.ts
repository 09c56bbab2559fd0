/** A sender that starts compares the newest of its own events on the bus with the database. */
import { freePort } from '@hookline/embedded/free-port';
import { newId, startMetrics } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { createMigratedDatabase, type TestService } from '@hookline/testing/service-harness';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchGauges } from '../src/metrics.ts';
import { resumeSending } from '../src/pauses/pause.ts';
import { findOpenPause, openPause } from '../src/pauses/queries.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../src/pauses/watch.ts';
import { inMs, publishWaiting, startWorld, type World } from './world.ts';

const topic = 'scheduling.schedules';
const pollMs = 200;
// Several polls of the sender.
const quietMs = 4 * pollMs;

const emptied = ['delete from messages', 'delete from cursors', 'update topics set head = 0'];

let busDatabase: Awaited<ReturnType<typeof createMigratedDatabase>>;
let world: World;
let senders: TestService[] = [];

beforeEach(async () => {
  busDatabase = await createMigratedDatabase();
  world = await startWorld({ role: 'api', busUrl: busDatabase.roleUrl('bus'), timings: { pollMs } });
  // A sender has run before, as in a running product.
  await (await world.startAnother()).stop();
});
afterEach(async () => {
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

/** A schedule that is due, with its event on the bus, and no process that would send it. */
async function prepareDue() {
  const ready = await world.ready();
  const { caller, content, account } = ready;
  const asked = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(0) };
  const { body, text } = await world.schedule(caller, asked);
  expect(body.data, text).toBeDefined();
  await publishWaiting(world.service);
  return { ...ready, id: body.data.id as string };
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

async function expectPaused(username: string): Promise<void> {
  const { db } = world.service;
  await eventually(async () => expect((await findOpenPause(db))?.cause).toBe('went_back'), 15_000);
  await new Promise(resolve => setTimeout(resolve, quietMs));
  expect(await world.posts(username)).toEqual([]);
}

it('a sender pauses for an event that the database lacks, behind newer ones that it has', async () => {
  const due = await prepareDue();
  await publishUnknown(due.id);
  // Published from this database afterwards, as its relay does at a start: the last events are known.
  await prepareDue();
  await startSender();
  await expectPaused(due.username);
});

it('a sender pauses before it publishes anything that would cover the unknown event', async () => {
  const due = await prepareDue();
  await publishUnknown(due.id);
  const [row] = await world.service.db.query<{ count: number }>(
    `with filled as (
       insert into outbox (event_id, topic, key, payload, headers)
       select 'event_' || n, $1, 'other', '{}', '{}' from generate_series(1, 1500) n
       returning 1
     ) select count(*)::int as count from filled`,
    [topic],
  );
  expect(row?.count).toBe(1_500);
  await startSender();
  await expectPaused(due.username);
});

it('a sender pauses for an unknown event of a new topic', async () => {
  for (let count = 0; count < 3; count += 1) await prepareDue();
  const due = await prepareDue();
  await onBus(...emptied);
  await publishUnknown(due.id);
  await startSender();
  await expectPaused(due.username);
});

it('a new topic without unknown events pauses nothing', async () => {
  await prepareDue();
  await onBus(...emptied);
  const { caller, id } = await prepareDue();
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
});

it('messages on the bus that are no events pause nothing', async () => {
  await world.service.bus.publish([{ topic, key: 'unreadable', value: 'unreadable', headers: {} }]);
  const { caller, id } = await prepareDue();
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
  expect(await findOpenPause(world.service.db)).toBeNull();
});

it('a sender goes on after an operator has settled what the database lacks', async () => {
  const { db } = world.service;
  const { caller, id } = await prepareDue();
  await publishUnknown(id);
  await db.transaction(tx => openPause(tx, { reason: 'test', cause: 'went_back' }, new Date()));
  await resumeSending({ db, now: () => new Date() }, true);
  await startSender();
  expect((await world.over(caller, id, 10_000)).status).toBe('sent');
});

describe('a watch whose bus does not answer', () => {
  let watch: DatabaseWatch;
  const start = async (): Promise<void> => {
    const { db, log } = world.service;
    watch = createDatabaseWatch({ db, log, now: () => new Date(), busWithinMs: 300 }, null);
    await watch.start(() => {});
    expect(watch.isReady()).toBe(false);
    await new Promise(resolve => setTimeout(resolve, 600));
  };
  afterEach(() => watch.stop());

  it('a watch without a bus is ready if the database is the one that was compared last', async () => {
    await start();
    expect(watch.isReady()).toBe(true);
  });

  it('a watch without a bus is not ready on another server, and a gauge says so', async () => {
    const { db, log } = world.service;
    await db.query('update witnessed_server set timeline = timeline + 1');
    await start();
    expect(watch.isReady()).toBe(false);
    // As after the end of the pause that it opened.
    await resumeSending({ db, now: () => new Date() }, true);
    const port = await freePort();
    const metrics = await startMetrics({ service: 'scheduling', port, host: '127.0.0.1', log });
    watchGauges({ db, watch });
    const scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(scraped).toMatch(/^hookline_posting_paused\S* 1$/m);
    await metrics.stop();
  });

  it('a watch without a bus is not ready before any comparison', async () => {
    await world.service.db.query('delete from witnessed_server');
    await start();
    expect(watch.isReady()).toBe(false);
  });

  it('a watch compares once the bus answers, and pauses for what the database lacks', async () => {
    const due = await prepareDue();
    await publishUnknown(due.id);
    await start();
    await watch.compareWith(world.service.bus);
    expect((await findOpenPause(world.service.db))?.cause).toBe('went_back');
  });
});
