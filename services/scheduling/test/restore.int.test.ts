/**
 * A database that went back: what may have been posted since is closed, also where a pause came back with the
 * data, and a replayed request of an automation from before it is refused.
 */
import { automationScheduleRequested } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Database, Transaction } from '@hookline/shared/postgres';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resumeSending } from '../src/pauses/pause.ts';
import { findOpenPause, openPause } from '../src/pauses/queries.ts';
import { findServer, readStanding, recordServer } from '../src/pauses/queries-witness.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../src/pauses/watch.ts';
import { closeAfterRestore, releaseAllKeptBack } from '../src/restore/close-after.ts';
import { type Evidence, readEvidence } from '../src/restore/evidence.ts';
import { insertRestore } from '../src/restore/queries.ts';
import { makeHeldDue } from '../src/schedules/queries.ts';
import { schedulingInvariants } from '../src/upkeep/queries.ts';
import { inMs, startWorld, type World } from './world.ts';

const world = perSuite(startWorld);

const hour = 3_600_000;

/** An automation asks for a post. @returns the firing */
async function ask({ caller, content, account }: Awaited<ReturnType<World['ready']>>, at: number) {
  const automationId = newId('automation');
  const firingId = newId('firing');
  content.origin = { automationId, firingId };
  const data = {
    automationId,
    firingId,
    contentId: content.id,
    tiktokAccountId: account.id,
    scheduledFor: new Date(at).toISOString(),
    mode: 'draft',
    privacyLevel: null,
    keyIds: [],
  };
  await world.service.publish(automationScheduleRequested, {
    subject: automationId,
    accountId: caller.accountId,
    data,
  });
  return firingId;
}

const answersTo = (firingId: string) =>
  world.service.published.filter(
    ({ headers, value }) => headers.ce_type?.startsWith('schedule.') && value.includes(firingId),
  );

const answerTo = (firingId: string, type: string) =>
  eventually(() => {
    const found = answersTo(firingId).find(({ headers }) => headers.ce_type === type);
    if (!found) throw new Error(`no ${type}`);
    return JSON.parse(found.value);
  });

it('a request from before the restore is rejected, one from after it scheduled', async () => {
  const ready = await world.ready();
  const { service } = world;
  const restoredAt = new Date();
  await service.db.transaction(tx => insertRestore(tx, new Date(restoredAt.getTime() - hour), restoredAt));
  const old = await ask(ready, restoredAt.getTime() - 1_000);
  expect(await answerTo(old, 'schedule.rejected')).toMatchObject({ code: 'outcome_unknown' });
  expect(await world.posts(ready.username)).toEqual([]);
  await answerTo(await ask(ready, Date.now() + 200), 'schedule.sent_to_drafts');
  expect(await world.posts(ready.username)).toHaveLength(1);
}, 20_000);

it('a pause after a failover is tried again when it could not be written', async () => {
  const { service } = world;
  const isAway = { value: true };
  const db = {
    ...service.db,
    transaction: (...given: Parameters<typeof service.db.transaction>) =>
      isAway.value ? Promise.reject(new Error('connection reset')) : service.db.transaction(...given),
  } as typeof service.db;
  const { systemId, timeline } = await readStanding(service.db, [], true);
  const watch = createDatabaseWatch(
    { db, log: service.log, now: () => new Date(), busWithinMs: 60_000 },
    null,
  );
  try {
    await recordServer(service.db, { systemId: '1', timeline: 1 });
    await expect(watch.start(() => {})).rejects.toThrow('connection reset');
    expect((await findServer(service.db))?.systemId).toBe('1');
    isAway.value = false;
    await watch.start(() => {});
    expect((await findOpenPause(service.db))?.cause).toBe('failover');
    await watch.compareWith(service.bus);
    expect(await findServer(service.db)).toEqual({ systemId, timeline });
  } finally {
    await watch.stop();
    await service.db.query('update sending_pauses set resumed_at = now() where resumed_at is null');
  }
});

it('ending the pause after a failover keeps the server that was compared', async () => {
  const { db } = world.service;
  await db.transaction(tx => openPause(tx, { reason: 'test', cause: 'failover', forMs: 60_000 }, new Date()));
  expect(await resumeSending({ db, now: () => new Date() })).toMatchObject({ cause: 'failover' });
  expect(await findServer(db)).not.toBeNull();
});

describe('a reading of the database', () => {
  const undone = new Error('undone');
  let slow: Database;
  let watch: DatabaseWatch;
  let isHolding: boolean;
  let begun: number;
  // Readings that are done and not judged yet.
  let held: (() => void)[];

  beforeEach(async () => {
    const { db, log } = world.service;
    isHolding = false;
    begun = 0;
    held = [];
    slow = {
      ...db,
      async query(...given: Parameters<typeof db.query>) {
        const rows = await db.query(...given);
        if (isHolding && given[0].includes('settledAtMs'))
          await new Promise<void>(resolve => held.push(resolve));
        return rows;
      },
      transaction(...given: Parameters<typeof db.transaction>) {
        begun += 1;
        return db.transaction(...given);
      },
    } as Database;
    watch = createDatabaseWatch({ db: slow, log, now: () => new Date(), busWithinMs: 60_000 }, null);
    await watch.start(() => {});
    await watch.compareWith(world.service.bus);
    isHolding = true;
  });
  afterEach(async () => {
    await watch.stop();
    await world.service.db.query('update sending_pauses set resumed_at = now() where resumed_at is null');
  });

  /** Has the watch check the database: this transaction, which is undone, holds a settlement. */
  async function check(): Promise<void> {
    const count = held.length;
    const checked = world.service.db.transaction(async tx => {
      const inAnHour = new Date(Date.now() + hour);
      await tx.query(
        `insert into sending_pauses (paused_at, resumed_at, cause) values ($1, $1, 'restored')`,
        [inAnHour],
      );
      expect(await watch.check(tx)).toBeNull();
      throw undone;
    });
    await expect(checked).rejects.toBe(undone);
    await eventually(() => expect(held).toHaveLength(count + 1));
  }

  async function commitAndRemember(attemptIds: readonly string[] = []): Promise<void> {
    const { db } = world.service;
    await db.query('select pg_current_xact_id()');
    await watch.remember(await readStanding(db, [], true), attemptIds);
  }

  it('a reading of the database is not short of what was committed after it', async () => {
    await commitAndRemember();
    await check();
    const checked = watch.check(slow);
    await eventually(() => expect(held).toHaveLength(2));
    await commitAndRemember();
    for (const release of held) release();
    expect(await checked).not.toBeNull();
    await new Promise(resolve => setImmediate(resolve));
    expect(begun).toBe(0);
    expect(await findOpenPause(world.service.db)).toBeNull();
  });

  it('a reading from before a call does not make the call forgotten', async () => {
    const { db } = world.service;
    const clock = { db, now: () => new Date() };
    await db.transaction(tx => openPause(tx, { reason: 'test', cause: 'went_back' }, new Date()));
    expect(await resumeSending(clock, true)).toMatchObject({ cause: 'went_back' });
    // Both find that it was settled. A call is made once the first one has taken note of that.
    await check();
    await check();
    held[0]?.();
    await new Promise(resolve => setTimeout(resolve, 200));
    await commitAndRemember(['attempt_that_is_lost']);
    held[1]?.();
    await new Promise(resolve => setTimeout(resolve, 200));
    await check();
    held[2]?.();
    await eventually(async () => expect((await findOpenPause(db))?.cause).toBe('went_back'));
  });
});

it("an automation's request waits on a database that went back until that is settled", async () => {
  const ready = await world.ready();
  const { db } = world.service;
  const clock = { db, now: () => new Date() };
  const pausedAt = new Date();
  await db.transaction(tx => openPause(tx, { reason: 'test', cause: 'went_back' }, pausedAt));
  // The slot was posted before the database went back. Automation fires it again, up to 15 min late.
  const firingId = await ask(ready, Date.now());
  const isAsked = 'select from schedule_requests where firing_id = $1';
  await eventually(async () => expect(await db.query(isAsked, [firingId])).toHaveLength(1));
  await new Promise(resolve => setTimeout(resolve, 1_000));
  expect(answersTo(firingId)).toEqual([]);
  const backupAt = new Date(pausedAt.getTime() - 720_000);
  const closed = await db.transaction(tx =>
    closeAfterRestore(tx, { backupAt, now: new Date(), evidence: null }),
  );
  expect(closed).toMatchObject({ sending: 0, overdue: 0 });
  expect(await resumeSending(clock)).toMatchObject({ cause: 'restored' });
  expect(await answerTo(firingId, 'schedule.rejected')).toMatchObject({ code: 'outcome_unknown' });

  const began = new Date();
  await db.transaction(tx => openPause(tx, { reason: 'test', cause: 'failover', forMs: 1_500 }, began));
  const kept = await ask(ready, Date.now());
  await new Promise(resolve => setTimeout(resolve, 700));
  expect(answersTo(kept)).toEqual([]);
  await answerTo(kept, 'schedule.created');
  expect(Date.now() - began.getTime()).toBeGreaterThan(1_500);
  // The tests below count what is being sent.
  await answerTo(kept, 'schedule.sent_to_drafts');
}, 30_000);

describe('a schedule that became due in an open pause', () => {
  const now = new Date();
  const ago = (hours: number) => new Date(now.getTime() - hours * hour);
  const undone = new Error('undone');
  let id = '';
  beforeAll(async () => {
    const { caller, content, account } = await world.ready();
    const contentId = content.id;
    const scheduledFor = new Date(Date.now() + hour).toISOString();
    const { body } = await world.schedule(caller, { contentId, tiktokAccountId: account.id, scheduledFor });
    id = body.data.id;
  });
  const paused = (tx: Transaction, hours: number) => openPause(tx, { reason: null }, ago(hours));
  const detected = (tx: Transaction, hours: number) =>
    openPause(tx, { reason: null, cause: 'went_back' }, ago(hours));

  // The schedule became due 1 hour ago.
  it.each<[string, number, number, (tx: Transaction) => Promise<unknown>]>([
    ['is closed if the pause is from before the backup', 3, 1, tx => paused(tx, 4)],
    ['keeps waiting if the pause began after the backup', 3, 0, tx => paused(tx, 2)],
    [
      'is closed if the pause was open before the database was found to have gone back',
      3,
      1,
      async tx => {
        await paused(tx, 4);
        await detected(tx, 0.5);
      },
    ],
    [
      'is closed then, whatever instant the data are said to be from',
      5,
      1,
      async tx => {
        await paused(tx, 4);
        await detected(tx, 0.5);
      },
    ],
    [
      'keeps waiting if the database was found to have gone back before it was due',
      3,
      0,
      tx => detected(tx, 2),
    ],
  ])('%s', async (_, backupHours, overdue, begin) => {
    const closed = world.service.db.transaction(async tx => {
      await begin(tx);
      await tx.query('update schedules set scheduled_for = $2, due_at = $2 where id = $1', [id, ago(1)]);
      const at = { backupAt: ago(backupHours), now, evidence: null };
      expect(await closeAfterRestore(tx, at)).toEqual({ sending: 0, overdue, onBus: 0, keptBack: 0 });
      throw undone;
    });
    await expect(closed).rejects.toBe(undone);
  });
});

describe('a schedule that was moved to an earlier time and sent after the backup', () => {
  const clock = () => ({ db: world.service.db, now: () => new Date() });
  afterEach(() => resumeSending(clock(), true));

  /** Takes the database back to before the move; the bus and the platform stay as they are. */
  async function loseTheMove(change?: (id: string) => Promise<void>) {
    const { db } = world.service;
    const ready = await world.ready();
    const asked = {
      contentId: ready.content.id,
      tiktokAccountId: ready.account.id,
      scheduledFor: inMs(10 * hour),
    };
    const { body } = await world.schedule(ready.caller, asked);
    const id = body.data.id as string;
    await change?.(id);
    const backupAt = new Date();
    const resource = `schedule:${id}`;
    const [before] = await db.query<{ row: object; sequence: number }>(
      `select to_jsonb(s) as row, (select sequence from event_sequences where resource = $2) as sequence
       from schedules s where id = $1`,
      [id, resource],
    );
    if (change) await world.call(ready.caller, 'POST', `/v1/schedules/${id}/retry`);
    else await world.call(ready.caller, 'PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(300) });
    expect((await world.over(ready.caller, id)).status).toBe('sent');
    await eventually(() =>
      expect(world.service.published.filter(({ key }) => key === id).length).toBeGreaterThan(1),
    );
    await db.query('delete from attempts where schedule_id = $1', [id]);
    await db.query('delete from schedules where id = $1', [id]);
    await db.query('insert into schedules select * from jsonb_populate_record(null::schedules, $1)', [
      JSON.stringify(before?.row),
    ]);
    await db.query('update event_sequences set sequence = $2 where resource = $1', [
      resource,
      before?.sequence,
    ]);
    return { ...ready, id, backupAt };
  }

  const close = (backupAt: Date, evidence: Evidence | null) =>
    world.service.db.transaction(tx => closeAfterRestore(tx, { backupAt, now: new Date(), evidence }));

  const read = async (caller: Caller, id: string) =>
    (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;

  it('a schedule with later events on the bus is closed, and those without any keep waiting', async () => {
    const other = await world.ready();
    const asked = {
      contentId: other.content.id,
      tiktokAccountId: other.account.id,
      scheduledFor: inMs(10 * hour),
    };
    const untouched = (await world.schedule(other.caller, asked)).body.data.id;
    const { caller, id, username, backupAt } = await loseTheMove();
    const evidence = await readEvidence(world.service.db, world.service.bus, backupAt);
    expect(evidence.isWhole).toBe(true);
    expect(await close(backupAt, evidence)).toMatchObject({ onBus: 1, keptBack: 0 });
    await resumeSending(clock());
    const { status, failure, timeline } = await read(caller, id);
    expect([status, failure.code, timeline.at(-1).what]).toEqual(['failed', 'outcome_unknown', 'failed']);
    expect((await read(other.caller, untouched)).status).toBe('pending');
    await world.call(other.caller, 'PATCH', `/v1/schedules/${untouched}`, { scheduledFor: inMs(300) });
    expect((await world.over(other.caller, untouched)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  });

  it('a schedule that had failed and was retried since the backup is closed', async () => {
    const { db } = world.service;
    const { caller, id, backupAt } = await loseTheMove(async made => {
      const failure = {
        code: 'missed',
        category: 'internal',
        message: '',
        retryable: true,
        platformMessage: null,
      };
      await db.query(`update schedules set status = 'failed', due_at = null, failure = $2 where id = $1`, [
        made,
        failure,
      ]);
    });
    const evidence = await readEvidence(db, world.service.bus, backupAt);
    expect(await close(backupAt, evidence)).toMatchObject({ onBus: 1 });
    await resumeSending(clock());
    expect((await read(caller, id)).failure.code).toBe('outcome_unknown');
    expect((await world.call(caller, 'POST', `/v1/schedules/${id}/retry`)).status).toBe(409);
  });

  it('without a bus that reaches back to the backup a schedule is kept back for a person', async () => {
    const { caller, id, username, backupAt, content } = await loseTheMove();
    const before = new Date(Date.now() - 30 * 24 * hour);
    expect((await readEvidence(world.service.db, world.service.bus, before)).isWhole).toBe(false);
    const { keptBack } = await close(backupAt, { scheduleIds: new Set(), isWhole: false });
    expect(keptBack).toBeGreaterThan(0);
    await resumeSending(clock());
    const { status, waitsBecause, timeline } = await read(caller, id);
    expect([status, waitsBecause, timeline.at(-1).what]).toEqual(['pending', 'kept_back', 'kept_back']);
    expect(timeline.at(-1).detail).toMatch(/may have been moved and posted since: look at the account/);
    // Its time comes, somebody changes its title, and its content is approved again.
    const { db } = world.service;
    await db.query(`update schedules set scheduled_for = now() where id = $1`, [id]);
    const path = `/v1/schedules/${id}`;
    expect((await world.call(caller, 'PATCH', path, { title: 'Another' })).status).toBe(200);
    await db.transaction(tx => makeHeldDue(tx, content.id));
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(await world.posts(username)).toHaveLength(1);
    expect(await runInvariants()).toEqual([]);
    await world.call(caller, 'PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(300) });
    expect((await world.over(caller, id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(2);
  });

  it('what is due on a phone is closed, unless a bus that reaches back says that nobody posted it', async () => {
    const { caller, content } = await world.ready();
    const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
    const body = { contentId: content.id, tiktokAccountId: phone.body.data.id };
    const { id, status } = (await world.schedule(caller, body)).body.data;
    expect(status).toBe('due');
    await close(new Date(), { scheduleIds: new Set(), isWhole: true });
    expect((await read(caller, id)).status).toBe('due');
    await close(new Date(), null);
    expect(await read(caller, id)).toMatchObject({ status: 'failed', failure: { code: 'outcome_unknown' } });
  });

  it('a schedule that an operator releases goes out at its time', async () => {
    const { caller, id, backupAt } = await loseTheMove();
    await close(backupAt, null);
    await resumeSending(clock());
    await world.service.db.query(
      `update schedules set scheduled_for = now() + interval '1 second' where id = $1`,
      [id],
    );
    expect(await releaseAllKeptBack(clock())).toBeGreaterThan(0);
    expect(await releaseAllKeptBack(clock())).toBe(0);
    const { status, timeline } = await world.over(caller, id);
    expect(status).toBe('sent');
    expect(timeline.map((one: { what: string }) => one.what)).toContain('released');
  });

  async function runInvariants(): Promise<unknown[]> {
    const rows = await Promise.all(
      schedulingInvariants
        .filter(({ name }) => name.includes('kept back'))
        .map(({ sql }) => world.service.db.query(sql)),
    );
    return rows.flat();
  }
});
