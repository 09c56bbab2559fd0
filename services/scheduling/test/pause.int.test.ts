/**
 * While an operator pauses sending, or an owner that of a workspace, no process sends any of it; afterwards
 * everything is sent, once.
 */
import type { Caller } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pauseSending, resumeSending, setWorkspacePause } from '../src/pauses/pause.ts';
import { inMs, type Json, startWorld, type World } from './world.ts';

const world = perSuite(() => startWorld({ timings: { pollMs: 200 } }));
let now: { db: World['service']['db']; now: () => Date };
const reason = 'the platform asked for silence';
// Several polls of the workers.
const quietMs = 600;

beforeAll(async () => {
  await world.startAnother();
  now = { db: world.service.db, now: () => new Date() };
});

beforeEach(async () => {
  await resumeSending(now);
});

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const whats = (schedule: Json): string[] => schedule.timeline.map((row: Json) => row.what);

describe('a long pause', () => {
  // In a world without senders, so that all of it still waits afterwards.
  const still = perSuite(() => startWorld({ role: 'api' }));

  it('a long pause ends without a write per schedule, and each that it held back says so', async () => {
    const { db } = still.service;
    const { caller, content, account } = await still.ready();
    const order = { contentId: content.id, tiktokAccountId: account.id };
    const { body } = await still.schedule(caller, { ...order, scheduledFor: inMs(200) });
    const deck = still.content.addDeck(caller.accountId);
    const later = await still.schedule(caller, {
      ...{ ...order, contentId: deck.id },
      scheduledFor: inMs(3_600_000),
    });
    await wait(250);
    await db.query(
      `insert into schedules select r.* from schedules s, generate_series(1, $2::int) n,
         lateral jsonb_populate_record(s, jsonb_build_object('id', 'schedule_' || n, 'content_id', 'content_' || n)) r
       where s.id = $1`,
      [body.data.id, 2_000],
    );
    const ops = { db, now: () => new Date() };
    await pauseSending(ops, reason, 0);
    const lines = 'select count(*)::int as count from schedule_timeline';
    const before = await db.query(lines);
    expect(await resumeSending(ops)).toMatchObject({ reason });
    expect(await db.query(lines)).toEqual(before);
    const timelineOf = async (id: string): Promise<Json[]> =>
      (await still.call(caller, 'GET', `/v1/schedules/${id}`)).body.data.timeline;
    expect(await timelineOf(body.data.id)).toMatchObject([
      { what: 'created' },
      { what: 'paused', detail: expect.stringMatching(/^the operator let no post go out until 20.+Z: the/) },
    ]);
    expect(await timelineOf(later.body.data.id)).toMatchObject([{ what: 'created' }]);
  });
});

describe('pause and resume', () => {
  it('a pause holds back what is due and what is posted now; each is sent once afterwards', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.ready()));
    const planned = await Promise.all(
      people.map(({ caller, content, account }) =>
        world.schedule(caller, {
          contentId: content.id,
          tiktokAccountId: account.id,
          scheduledFor: inMs(300),
        }),
      ),
    );
    expect(await pauseSending(now, reason, 5_000)).toMatchObject({ isNew: true, underWay: 0 });
    expect(await pauseSending(now, 'another', 0)).toMatchObject({ isNew: false });
    const { caller, content, account, username } = await world.ready();
    const askedAt = performance.now();
    const immediate = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(immediate.status, immediate.text).toBe(201);
    expect(immediate.body.data.status).toBe('pending');
    // Less than the wait for the platform's answer.
    expect(performance.now() - askedAt).toBeLessThan(5_000);
    await wait(quietMs);

    const all = [
      ...people.map((person, at) => ({ ...person, id: planned[at]!.body.data.id })),
      { caller, username, id: immediate.body.data.id },
    ];
    for (const { caller: owner, id, username: creator } of all) {
      expect(await world.posts(creator)).toEqual([]);
      const { body } = await world.call(owner, 'GET', `/v1/schedules/${id}`);
      expect(body.data.status).toBe('pending');
      const last = body.data.timeline.at(-1);
      expect(last).toMatchObject({ what: 'paused', detail: `the operator lets no post go out: ${reason}` });
    }
    const withdrawn = all.shift()!;
    expect((await world.call(withdrawn.caller, 'DELETE', `/v1/schedules/${withdrawn.id}`)).status).toBe(200);

    expect(await resumeSending(now)).toMatchObject({ reason });
    for (const { caller: owner, id, username: creator } of all) {
      const over = await world.over(owner, id);
      expect(over.status).toBe('sent');
      expect(whats(over).indexOf('paused')).toBeLessThan(whats(over).lastIndexOf('sending'));
      expect(whats(over).filter(what => what === 'paused')).toHaveLength(1);
      expect(await world.posts(creator)).toHaveLength(1);
    }
    expect(await world.posts(withdrawn.username)).toEqual([]);
    expect(await resumeSending(now)).toBeNull();
  }, 40_000);

  it('what a pause made more than two hours late ends as missed, and a retry sends it', async () => {
    const [late, inTime] = [await world.ready(), await world.ready()];
    const ids = await Promise.all(
      [late, inTime].map(async ({ caller, content, account }) => {
        const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(60_000) };
        return (await world.schedule(caller, body)).body.data.id;
      }),
    );
    await pauseSending(now, reason, 0);
    for (const [at, minutes] of [121, 119].entries()) {
      await world.service.db.query(
        `update schedules set scheduled_for = now() - $2 * interval '1 min', due_at = now() - $2 * interval '1 min'
         where id = $1`,
        [ids[at], minutes],
      );
    }
    await wait(quietMs);
    expect((await world.call(late.caller, 'GET', `/v1/schedules/${ids[0]}`)).body.data.status).toBe(
      'pending',
    );
    await resumeSending(now);
    expect((await world.over(inTime.caller, ids[1])).status).toBe('sent');
    const over = await world.over(late.caller, ids[0]);
    expect(over.failure).toEqual({
      code: 'missed',
      category: 'internal',
      message: 'It could not be sent within 2 h of its time, so no draft was made. Try again to send it now.',
      retryable: true,
      platformMessage: null,
    });
    expect(await world.control('GET', `init-requests?account=${late.username}`)).toEqual([]);
    expect((await world.call(late.caller, 'POST', `/v1/schedules/${ids[0]}/retry`)).status).toBe(200);
    expect((await world.over(late.caller, ids[0])).status).toBe('sent');
    expect(await world.posts(late.username)).toHaveLength(1);
  }, 40_000);

  it('a pause releases a claimed schedule as pending, without a call', async () => {
    const { caller, content, account, username } = await world.ready();
    // The claim is held and the permit requested: only the last check before the call can still stop it.
    const gate = Promise.withResolvers<void>();
    world.content.permitsAfter = gate.promise;
    const { body } = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(100),
    });
    await eventually(async () => {
      const { body: seen } = await world.call(caller, 'GET', `/v1/schedules/${body.data.id}`);
      expect(seen.data.status).toBe('sending');
    });
    expect(await pauseSending(now, null, 0)).toMatchObject({ underWay: 1 });
    world.content.permitsAfter = null;
    gate.resolve();
    await wait(quietMs);
    expect(await world.posts(username)).toEqual([]);
    const attempts = await world.service.db.query('select 1 from attempts where schedule_id = $1', [
      body.data.id,
    ]);
    expect(attempts).toEqual([]);
    // Pending, so that it can be withdrawn or moved; content's permit is released with the event.
    const waiting = await world.call(caller, 'GET', `/v1/schedules/${body.data.id}`);
    expect(waiting.body.data.status).toBe('pending');
    await eventually(() => {
      const mine = world.service.published.filter(message => message.key === body.data.id);
      expect(mine.at(-1)?.headers.ce_type).toBe('schedule.requeued');
    });
    await resumeSending(now);
    expect((await world.over(caller, body.data.id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  }, 20_000);

  it('a call that was under way as a pause began is settled, and not repeated', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults({ operation: 'content_init', kind: 'slow', delayMs: 800, times: 1 });
    const { body } = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(50),
    });
    await wait(400);
    await pauseSending(now, null, 5_000);
    const over = await world.over(caller, body.data.id);
    expect(over.status).toBe('sent');
    await resumeSending(now);
    await wait(quietMs);
    expect(await world.posts(username)).toHaveLength(1);
    await world.setFaults();
  }, 20_000);
});

describe('the switch of a workspace', () => {
  const get = async (caller: Caller, id: string): Promise<Json> =>
    (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;

  it('stops every post of the workspace and no other, says so on each that waits, and is undone', async () => {
    const [mine, other] = [await world.ready(), await world.ready()];
    const order = { contentId: mine.content.id, tiktokAccountId: mine.account.id };
    const due = (await world.schedule(mine.caller, { ...order, scheduledFor: inMs(600_000) })).body.data;
    const deck = world.content.addDeck(mine.caller.accountId);
    const later = (
      await world.schedule(mine.caller, { ...order, contentId: deck.id, scheduledFor: inMs(3_600_000) })
    ).body.data;
    expect(later.waitsBecause).toBeNull();
    for (let repeat = 0; repeat < 2; repeat += 1) await setWorkspacePause(now, mine.caller.accountId, true);
    await now.db.query('update schedules set scheduled_for = now(), due_at = now() where id = $1', [due.id]);

    const third = world.content.addDeck(mine.caller.accountId);
    const immediate = await world.schedule(mine.caller, { ...order, contentId: third.id });
    expect([immediate.status, immediate.body.data.waitsBecause]).toEqual([201, 'sending_paused']);
    const { body } = await world.schedule(other.caller, {
      contentId: other.content.id,
      tiktokAccountId: other.account.id,
    });
    expect((await world.over(other.caller, body.data.id)).status).toBe('sent');
    await wait(quietMs);
    expect(await world.posts(mine.username)).toEqual([]);
    for (const { id } of [due, later, immediate.body.data]) {
      expect(await get(mine.caller, id)).toMatchObject({ status: 'pending', waitsBecause: 'sending_paused' });
    }
    expect((await get(mine.caller, due.id)).timeline.at(-1)).toMatchObject({
      what: 'paused',
      detail: 'an owner has stopped every post of the workspace',
    });

    await setWorkspacePause(now, mine.caller.accountId, false);
    for (const { id } of [due, immediate.body.data]) {
      expect(await world.over(mine.caller, id)).toMatchObject({ status: 'sent', waitsBecause: null });
    }
    expect(await get(mine.caller, later.id)).toMatchObject({ status: 'pending', waitsBecause: null });
    expect(await world.posts(mine.username)).toHaveLength(2);
  }, 40_000);

  it('begins no call once it is answered, and settles one that has begun', async () => {
    const [begun, claimed] = [await world.ready(), await world.ready()];
    claimed.caller.accountId = begun.caller.accountId;
    await world.setFaults({ operation: 'content_init', kind: 'slow', delayMs: 800, times: 1 });
    const first = await world.schedule(begun.caller, {
      contentId: begun.content.id,
      tiktokAccountId: begun.account.id,
      scheduledFor: inMs(50),
    });
    await eventually(async () => {
      const rows = await now.db.query('select 1 from attempts where schedule_id = $1', [first.body.data.id]);
      expect(rows).toHaveLength(1);
    });
    const deck = world.content.addDeck(begun.caller.accountId);
    const account = await world.connect(begun.caller, { username: await world.newCreator() });
    const gate = Promise.withResolvers<void>();
    world.content.permitsAfter = gate.promise;
    const second = await world.schedule(begun.caller, {
      contentId: deck.id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(50),
    });
    await eventually(async () => {
      expect((await get(begun.caller, second.body.data.id)).status).toBe('sending');
    });
    await setWorkspacePause(now, begun.caller.accountId, true);
    world.content.permitsAfter = null;
    gate.resolve();
    expect((await world.over(begun.caller, first.body.data.id)).status).toBe('sent');
    await wait(quietMs);
    expect(await get(begun.caller, second.body.data.id)).toMatchObject({
      status: 'pending',
      waitsBecause: 'sending_paused',
    });
    expect(await world.posts(account.username)).toEqual([]);
    await setWorkspacePause(now, begun.caller.accountId, false);
    expect((await world.over(begun.caller, second.body.data.id)).status).toBe('sent');
    await world.setFaults();
  }, 40_000);

  it('300 due posts of a stopped workspace hold up no other, and go out after the switch is undone', async () => {
    const [mine, other] = [await world.ready(), await world.ready()];
    const { body } = await world.schedule(mine.caller, {
      contentId: mine.content.id,
      tiktokAccountId: mine.account.id,
      scheduledFor: inMs(300_000),
    });
    await setWorkspacePause(now, mine.caller.accountId, true);
    await now.db.query(
      `insert into schedules select r.* from schedules s, generate_series(1, 300) n,
         lateral jsonb_populate_record(s, jsonb_build_object('id', 'schedule_held_' || n,
           'content_id', 'content_' || n, 'scheduled_for', now(), 'due_at', now())) r
       where s.id = $1`,
      [body.data.id],
    );
    await wait(20);
    const asked = await world.schedule(other.caller, {
      contentId: other.content.id,
      tiktokAccountId: other.account.id,
    });
    expect((await world.over(other.caller, asked.body.data.id, 5_000)).status).toBe('sent');
    const due = `select count(*)::int as due from schedules where id like 'schedule_held_%' and due_at <= now()`;
    expect(await now.db.query(due)).not.toEqual([{ due: 300 }]);
    // What is looked at every second is written every second.
    const soon = due.replace('due_at <= now()', "due_at between now() and now() + interval '30 s'");
    expect(await now.db.query(soon)).toEqual([{ due: 0 }]);
    await setWorkspacePause(now, mine.caller.accountId, false);
    await now.db.query(`delete from schedules where id like 'schedule_held_%' and status = 'pending'`);
  }, 40_000);
});
