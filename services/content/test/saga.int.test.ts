import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentBrief } from '@hookline/shared/contracts/brief';
import type { Content } from '@hookline/shared/contracts/content';
import { requestSendPermit } from '@hookline/shared/contracts/internal';
import {
  automationFired,
  exampleSchedule,
  scheduleCreated,
  scheduleDeleted,
  scheduleFailed,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { hourMs } from '@hookline/shared/kernel/durations';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import { closeRenderThread } from '@hookline/slides';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { channels } from '../src/channels.ts';
import { renewReservation } from '../src/credits/queries.ts';
import { releaseDeadReservations } from '../src/credits/release-dead.ts';
import { type ContentUnderTest, codeOf, dataOf, startContent } from './world.ts';

let under: ContentUnderTest;
/** How far the service's clock is ahead of the database's. */
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs);
  under = await startContent({ env: { SIGNUP_CREDITS: '2' }, now });
});
afterAll(() => under.stop());

type Caller = ReturnType<typeof testCaller>;

async function fire(
  caller: Caller,
  appId: string,
  approvalMode: 'auto' | 'manual',
  times = 1,
  firingId = newId('firing'),
  brief: SentBrief | null = null,
): Promise<string> {
  const automationId = newId('automation');
  for (let time = 0; time < times; time += 1) {
    await under.service.publish(automationFired, {
      subject: automationId,
      accountId: caller.accountId,
      data: { automationId, firingId, appId, brief, approvalMode, slot: new Date().toISOString() },
    });
  }
  return firingId;
}

async function contentOf(caller: Caller, firingId: string, status: string): Promise<Content> {
  return await eventually(async () => {
    const list = dataOf<Content[]>(await under.service.call('GET', '/v1/content', { caller }));
    const found = list.filter(row => row.origin?.firingId === firingId);
    expect(found).toHaveLength(1);
    expect(found[0]?.status).toBe(status);
    return found[0] as Content;
  }, 40_000);
}

/** The worker looks at once, and not at its next poll. */
const wake = () => under.service.db.query(`select pg_notify('${channels.work}', '')`);

/** The next try of a queued deck is due after `pause`. */
async function setPause(firingId: string, pause: string): Promise<void> {
  await under.service.db.query(
    `update contents set lease_until = now() + $2::interval where origin_firing_id = $1 and status = 'queued'`,
    [firingId, pause],
  );
  await wake();
}
const endPause = (firingId: string) => setPause(firingId, '0 s');

const typesOf = (id: string) =>
  under.service.published.filter(entry => entry.key === id).map(entry => entry.headers.ce_type);

describe('automation.fired', () => {
  it('automation.fired makes one postable deck, charged once and pending, however often it arrives', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const firingId = await fire(caller, appId, 'manual', 3);
    const content = await contentOf(caller, firingId, 'ready');
    expect(content).toMatchObject({
      approvalStatus: 'pending',
      costCharged: 1,
      brief: { templateId: 'quote-card' },
    });
    expect(content.images.length).toBeGreaterThan(0);
    await eventually(() => expect(typesOf(content.id)).toEqual(['job.completed']));
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 1, spent: 1 });
  });

  it('automation.fired in auto mode approves the deck without a key', async () => {
    const caller = testCaller();
    const firingId = await fire(caller, await under.importApp(caller), 'auto');
    const content = await contentOf(caller, firingId, 'ready');
    await eventually(async () => {
      const row = dataOf<Content>(await under.service.call('GET', `/v1/content/${content.id}`, { caller }));
      expect(row).toMatchObject({
        approvalStatus: 'approved',
        approval: {
          decision: 'approved',
          keyId: null,
          by: { kind: 'automation', name: 'Automation of Pebblo' },
        },
      });
    });
    await eventually(() => expect(typesOf(content.id).sort()).toEqual(['content.approved', 'job.completed']));
  });
});

describe('work that died', () => {
  it('a deck whose worker died is taken over after its lease and ends once', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const firingId = await fire(caller, appId, 'manual');
    const content = await contentOf(caller, firingId, 'ready');
    // The state after a kill in the middle of the next generation: claimed, lease expired, no worker.
    await under.service.db.query(
      `insert into contents (id, account_id, app_id, type, status, brief, origin_automation_id, origin_firing_id,
         origin_approval_mode, lease_token, lease_until, created_at, updated_at)
       select $2, account_id, app_id, type, 'running', brief, origin_automation_id, $3, 'manual', 'dead', now(), now(), now()
       from contents where id = $1`,
      [content.id, newId('content'), 'firing_dead'],
    );
    await wake();
    const taken = await contentOf(caller, 'firing_dead', 'ready');
    expect(taken.costCharged).toBe(1);
  });

  it('a deck claimed three times without an end fails uncharged and delays nothing behind it', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const firingId = await fire(caller, appId, 'manual');
    const content = await contentOf(caller, firingId, 'ready');
    // The state after kills, older than all others.
    const insert = (id: string, app: string, firing: string, attempts: number) =>
      under.service.db.query(
        `insert into contents (id, account_id, app_id, type, status, brief, origin_automation_id, origin_firing_id,
           origin_approval_mode, lease_token, lease_until, attempts, created_at, updated_at)
         select $2, account_id, $3, type, 'running', brief, origin_automation_id, $4, 'manual', 'dead', now(), $5,
           now() - interval '1 day', now()
         from contents where id = $1`,
        [content.id, id, app, firing, attempts],
      );
    const [worn, broken] = [newId('content'), newId('content')];
    // Every end as ready throws: a stand-in for a deck that no attempt can finish. The sequence, which no rollback
    // takes back, is one ahead of the attempts that have ended.
    const admin = await openDedicatedConnection(under.service.database.url, 'test');
    await admin.query(
      `create sequence content.refusals; grant all on content.refusals to content;
       select nextval('content.refusals');
       create function content.refuse() returns trigger language plpgsql as
         $$ begin perform nextval('content.refusals'); raise exception 'never'; end $$;
       create trigger refuse before update on content.contents for each row
         when (new.id = '${broken}' and new.status = 'ready') execute function content.refuse()`,
    );
    await admin.end();
    await insert(worn, appId, 'firing_worn', 3);
    await insert(broken, appId, 'firing_broken', 0);
    await wake();
    const ended = await contentOf(caller, 'firing_worn', 'failed');
    expect(ended).toMatchObject({
      costCharged: 0,
      error: { code: 'internal_error', message: 'The slideshow could not be made in 3 attempts.' },
    });
    await eventually(() => expect(typesOf(worn)).toEqual(['job.completed']));
    const other = testCaller();
    await contentOf(other, await fire(other, await under.importApp(other), 'manual'), 'ready');
    // Its lease expires again and again; here as soon as nobody works on it.
    await eventually(async () => {
      const [row] = await under.service.db.query<{ status: string; attempts: number }>(
        `update contents set lease_until =
           case when attempts < (select last_value from refusals) then now() else lease_until end
         where id = $1 returning status, attempts`,
        [broken],
      );
      await wake();
      expect(row).toEqual({ status: 'failed', attempts: 4 });
    }, 30_000);
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 1, spent: 1 });
  }, 90_000);

  it('a deck waits as long as the database is too busy to write its end', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const firingId = newId('firing');
    const admin = await openDedicatedConnection(under.service.database.url, 'test');
    // A stand-in for a lock on a table of the end, which a statement waits for until its time is over.
    await admin.query(
      `create function content.time_out() returns trigger language plpgsql as $$
         begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
       create trigger time_out before update on content.contents for each row
         when (new.origin_firing_id = '${firingId}' and new.status = 'ready') execute function content.time_out()`,
    );
    await fire(caller, appId, 'manual', 1, firingId);
    // A claim that is left to its lease is tried again after 18 s, and only three times.
    await eventually(async () => {
      const [row] = await under.service.db.query<{ status: string; tries: number }>(
        'select status, attempts + waits as tries from contents where origin_firing_id = $1',
        [firingId],
      );
      expect(row?.status).not.toBe('failed');
      await endPause(firingId);
      expect(row?.tries).toBeGreaterThanOrEqual(4);
    }, 40_000);
    await admin.query('drop trigger time_out on content.contents; drop function content.time_out');
    await admin.end();
    const content = await contentOf(caller, firingId, 'ready');
    expect(content).toMatchObject({ costCharged: 1 });
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 1, spent: 1 });
  }, 90_000);

  it('a deck is drawn again when the drawing thread ended, perhaps because of another deck', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const firingId = await fire(caller, appId, 'manual');
    const stateOf = async () => {
      const [row] = await under.service.db.query<{ status: string; attempts: number }>(
        'select status, attempts from contents where origin_firing_id = $1',
        [firingId],
      );
      return row;
    };
    // As a deck does that needs more memory than the thread may have.
    await eventually(async () => {
      await closeRenderThread();
      const row = await stateOf();
      expect(row?.status).not.toBe('running');
      expect(row?.attempts).toBeGreaterThan(0);
    }, 20_000);
    expect((await stateOf())?.status).not.toBe('failed');
    await endPause(firingId);
    expect(await contentOf(caller, firingId, 'ready')).toMatchObject({ costCharged: 1 });
  }, 90_000);

  it('a request whose drawing thread ended is answered 503, and made by a repeat with its key', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const body = { appId, type: 'slideshow', brief: { templateId: 'quote-card' } };
    const create = () => under.create(caller, body, 'thread-ended');
    let first: Awaited<ReturnType<typeof create>> | undefined;
    const asked = create().then(answer => (first = answer));
    while (first === undefined) {
      await closeRenderThread();
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    await asked;
    expect([first.status, codeOf(first), first.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '2',
    ]);
    const repeated = await create();
    expect(repeated.status).toBe(201);
    expect(dataOf(repeated)).toMatchObject({ status: 'ready', costCharged: 1 });
  });

  it('a request that the database was too busy to end is made by a repeat with its key', async () => {
    const caller = testCaller();
    const body = { appId: await under.importApp(caller), type: 'slideshow' };
    const create = () => under.create(caller, body, 'busy');
    const admin = await openDedicatedConnection(under.service.database.url, 'test');
    await admin.query(
      `create function content.be_busy() returns trigger language plpgsql as $$
         begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
       create trigger be_busy before insert on content.contents for each row
         when (new.account_id = '${caller.accountId}') execute function content.be_busy()`,
    );
    const first = await create();
    expect([first.status, codeOf(first)]).toEqual([503, 'service_unavailable']);
    await admin.query('drop trigger be_busy on content.contents; drop function content.be_busy');
    await admin.end();
    expect((await create()).status).toBe(201);
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 1, spent: 1, dailyGeneration: { used: 1 } });
  });

  it('a credit set aside for work that never ended is given back', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    await under.create(caller, { appId, type: 'slideshow' });
    await under.service.db.transaction(async tx => {
      await tx.query('update credit_accounts set reserved = reserved + 1 where account_id = $1', [
        caller.accountId,
      ]);
      await tx.query(
        `insert into credit_reservations (content_id, account_id, day, expires_at) values ($1, $2, current_date, now() - interval '1 second')`,
        [newId('content'), caller.accountId],
      );
    });
    expect((await under.create(caller, { appId, type: 'slideshow' })).status).toBe(402);
    await releaseDeadReservations(under.service);
    expect((await under.create(caller, { appId, type: 'slideshow' })).status).toBe(201);
  });

  it('a credit stays set aside for work that was taken over at the end of its time', async () => {
    const caller = testCaller();
    await under.create(caller, { appId: await under.importApp(caller), type: 'slideshow' });
    const { db } = under.service;
    const contentId = newId('content');
    await db.query(
      `with held as (update credit_accounts set reserved = 1 where account_id = $2)
       insert into credit_reservations (content_id, account_id, day, expires_at)
       values ($1, $2, current_date, now() - interval '1 second')`,
      [contentId, caller.accountId],
    );
    const { released } = await db.transaction(async tx => {
      await renewReservation(tx, contentId, new Date(Date.now() + hourMs));
      const released = releaseDeadReservations(under.service);
      await lockWaits(db);
      return { released };
    });
    await released;
    const rows = await db.query('select reserved from credit_accounts where account_id = $1', [
      caller.accountId,
    ]);
    expect(rows).toEqual([{ reserved: 1 }]);
  });
});

describe('an image store that is away', () => {
  // No file can be written below a file.
  const folder = () => join(under.dataDir, 'images');
  const loseStore = () => {
    rmSync(folder(), { recursive: true, force: true });
    writeFileSync(folder(), '');
  };
  const mendStore = () => rmSync(folder(), { recursive: true, force: true });
  afterEach(() => {
    aheadMs = 0;
    mendStore();
  });

  type Queue = { id: string; status: string; attempts: number; waits: number };
  const queueOf = async (firingId: string): Promise<Queue | undefined> => {
    const rows = await under.service.db.query<Queue>(
      'select id, status, attempts, waits from contents where origin_firing_id = $1',
      [firingId],
    );
    return rows[0];
  };
  const waitingDeck = (firingId: string, waits: number): Promise<Queue> =>
    eventually(async () => {
      const row = (await queueOf(firingId)) as Queue;
      if (row.waits < waits) await endPause(firingId);
      expect(row).toMatchObject({ status: 'queued', attempts: 0 });
      expect(row.waits).toBeGreaterThanOrEqual(waits);
      return row;
    }, 30_000);
  const creditsOf = async (caller: Caller) => {
    const [row] = await under.service.db.query<{ reserved: number; keptSeconds: number }>(
      `select a.reserved, coalesce(extract(epoch from max(r.expires_at) - now()), 0)::float8 as "keptSeconds"
       from credit_accounts a left join credit_reservations r using (account_id)
       where a.account_id = $1 group by a.account_id`,
      [caller.accountId],
    );
    return row;
  };
  const usedToday = async (caller: Caller): Promise<number | undefined> => {
    const rows = await under.service.db.query<{ used: number }>(
      'select used from daily_generations where account_id = $1',
      [caller.accountId],
    );
    return rows[0]?.used;
  };

  it('the deck of a firing waits for an image store that is away and ends ready, charged once', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    loseStore();
    const firingId = await fire(caller, appId, 'auto');
    // More tries than a deck has that ends its process.
    const { id } = await waitingDeck(firingId, 4);
    const timeline = await under.service.call('GET', `/v1/content/${id}/timeline`, { caller });
    expect(dataOf<{ detail: string }[]>(timeline)[0]?.detail).toMatch(
      /^waiting \(image_store_unavailable\); retries end at \d{4}-.+Z$/,
    );
    const credits = await creditsOf(caller);
    expect(credits?.reserved).toBe(1);
    expect(credits?.keptSeconds).toBeGreaterThan(1.9 * 3_600);
    expect(typesOf(id)).toEqual([]);

    // One that waits holds up nobody.
    await setPause(firingId, '1 hour');
    mendStore();
    const other = testCaller();
    await contentOf(other, await fire(other, await under.importApp(other), 'manual'), 'ready');
    expect((await queueOf(firingId))?.status).toBe('queued');
    await endPause(firingId);
    const content = await contentOf(caller, firingId, 'ready');
    expect(content).toMatchObject({ costCharged: 1, approvalStatus: 'approved' });
    expect(content.error ?? null).toBeNull();
    await eventually(() => expect(typesOf(id).sort()).toEqual(['content.approved', 'job.completed']));
    const ended = under.service.published.find(
      entry => entry.key === id && entry.headers.ce_type === 'job.completed',
    );
    expect(JSON.parse(String(ended?.value))).toMatchObject({ waitsBecause: null });
    const balance = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(balance)).toMatchObject({ balance: 1, spent: 1 });
    expect(await creditsOf(caller)).toMatchObject({ reserved: 0 });
    expect(await usedToday(caller)).toBe(1);
  }, 90_000);

  it('an image store away for more than two hours fails the deck with the reason; nothing is charged or set aside', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    loseStore();
    const firingId = await fire(caller, appId, 'auto');
    const { id } = await waitingDeck(firingId, 1);
    aheadMs = 2 * hourMs;
    await endPause(firingId);
    const content = await contentOf(caller, firingId, 'failed');
    expect(content).toMatchObject({ costCharged: 0, error: { code: 'image_store_unavailable' } });
    await eventually(() => expect(typesOf(id)).toEqual(['job.completed']));
    const balance = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(balance)).toMatchObject({ balance: 2, spent: 0 });
    expect(await creditsOf(caller)).toEqual({ reserved: 0, keptSeconds: 0 });
    expect(await usedToday(caller)).toBe(0);
  }, 60_000);
});

describe('send permits', () => {
  const ask = (caller: Caller, contentId: string, scheduleId: string, afterSequence = 0) =>
    under.service.call('POST', requestSendPermit.path.replace('{id}', contentId), {
      sender: 'scheduling',
      body: { scheduleId, accountId: caller.accountId, afterSequence },
    });
  const act = (caller: Caller, id: string, method: string, what: string, body?: unknown) =>
    under.service.call(method, `/v1/content/${id}${what}`, {
      caller,
      ...(body === undefined ? {} : { body }),
    });

  it('a send permit is refused without approval and blocks approve, reject and edit until it is released', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const scheduleId = newId('schedule');
    expect((await ask(caller, deck.id, scheduleId)).body).toEqual({
      granted: false,
      code: 'not_approved',
      approvalStatus: 'pending',
    });
    await act(caller, deck.id, 'POST', '/approve');
    expect((await ask(caller, deck.id, scheduleId)).body).toMatchObject({
      granted: true,
      content: { id: deck.id, version: 1 },
    });
    expect((await ask(caller, deck.id, scheduleId)).body).toMatchObject({ granted: true });
    expect(codeOf(await act(caller, deck.id, 'POST', '/reject'))).toBe('already_sending');
    expect(codeOf(await act(caller, deck.id, 'PATCH', '', { hook: 'Other words' }))).toBe('already_sending');

    await under.service.publish(scheduleSentToDrafts, {
      subject: scheduleId,
      accountId: caller.accountId,
      data: { schedule: { ...exampleSchedule, id: scheduleId, contentId: deck.id }, firingId: null },
    });
    await eventually(async () => {
      expect(codeOf(await act(caller, deck.id, 'POST', '/reject'))).toBe('already_sent');
    });
  });

  it('an approved deck is to be scheduled until a schedule waits, and again once the last one is withdrawn', async () => {
    const caller = testCaller();
    const { id: contentId } = await under.readyDeck(caller);
    await act(caller, contentId, 'POST', '/approve');
    const idsOf = async (scheduled: boolean) => {
      const path = `/v1/content?approvalStatus=approved&scheduled=${scheduled}`;
      return dataOf<Content[]>(await under.service.call('GET', path, { caller })).map(({ id }) => id);
    };
    const expectToSchedule = (count: number) =>
      eventually(async () => {
        expect([await idsOf(false), await idsOf(true)]).toEqual(
          count ? [[contentId], []] : [[], [contentId]],
        );
        const counts = await under.service.call('GET', '/v1/content/counts', { caller });
        expect(dataOf(counts)).toMatchObject({ approved: 1, toSchedule: count });
      });
    const tell = (definition: typeof scheduleCreated, id: string, sequence: number) =>
      under.service.publish(definition, {
        subject: id,
        accountId: caller.accountId,
        sequence,
        data: { schedule: { ...exampleSchedule, id, contentId }, firingId: null },
      });
    const [one, other] = [newId('schedule'), newId('schedule')];
    await expectToSchedule(1);
    await tell(scheduleCreated, one, 1);
    await tell(scheduleCreated, other, 2);
    await expectToSchedule(0);
    await tell(scheduleDeleted, one, 3);
    const isOver = 'select from known_schedules where schedule_id = $1 and not is_waiting';
    const expectOver = (id: string) =>
      eventually(async () => expect(await under.service.db.query(isOver, [id])).not.toEqual([]));
    await expectOver(one);
    await expectToSchedule(0);
    await tell(scheduleDeleted, other, 4);
    await expectToSchedule(1);
    // One that failed was not withdrawn, and may be tried again.
    const [failed, third] = [newId('schedule'), newId('schedule')];
    await tell(scheduleCreated, failed, 5);
    await tell(scheduleFailed, failed, 6);
    await expectOver(failed);
    await tell(scheduleCreated, third, 7);
    await tell(scheduleDeleted, third, 8);
    await expectOver(third);
    await expectToSchedule(0);
    await tell(scheduleDeleted, failed, 9);
    await expectToSchedule(1);
  });

  it("a content's timeline has its permits and what came before and after them", async () => {
    const caller = testCaller();
    const person = testPerson(caller, 'Maya');
    const deck = await under.readyDeck(caller);
    await act(caller, deck.id, 'POST', '/reject', { reason: 'Too loud' });
    await act(person, deck.id, 'PATCH', '', { caption: 'Quieter words' });
    await act(person, deck.id, 'POST', '/approve');
    const scheduleId = newId('schedule');
    const schedule = { ...exampleSchedule, id: scheduleId, contentId: deck.id, contentVersion: 2 };
    const publish = (event: typeof scheduleCreated, sequence: number, id = newId('event')) =>
      under.service.publish(event, {
        subject: scheduleId,
        accountId: caller.accountId,
        sequence,
        data: { schedule, firingId: null },
        id,
      });
    const timeline = async (as = caller) => await act(as, deck.id, 'GET', '/timeline');
    type Moment = { what: string; by: { kind: string; name: string } | null; [key: string]: unknown };
    const moments = async () => dataOf<Moment[]>(await timeline());
    const twice = newId('event');
    await publish(scheduleCreated, 1, twice);
    await publish(scheduleCreated, 1, twice);
    await eventually(async () => expect((await moments()).at(-1)?.what).toBe('scheduled'));
    await ask(caller, deck.id, scheduleId, 1);
    await publish(scheduleSentToDrafts, 2);
    await eventually(async () => expect((await moments()).at(-1)?.what).toBe('delivered'));
    const all = await moments();
    expect(all.map(({ what, by, version }) => [what, by?.kind, by?.name, version])).toEqual([
      ['made', 'key', 'test key', 1],
      ['charged', undefined, undefined, null],
      ['rejected', 'key', 'test key', 1],
      ['edited', 'person', 'Maya', 2],
      ['approved', 'person', 'Maya', 2],
      ['scheduled', undefined, undefined, 2],
      ['sent', undefined, undefined, 2],
      ['delivered', undefined, undefined, 2],
    ]);
    expect(all.filter(row => row.scheduleId === scheduleId)).toHaveLength(3);
    expect(all.map(row => row.detail)).toEqual([
      null,
      '1 credit',
      'Too loud',
      null,
      null,
      `for ${schedule.scheduledFor}, draft`,
      null,
      'sent_to_drafts',
    ]);
    expect(codeOf(await timeline(testCaller()))).toBe('not_found');
    const appId = await under.importApp(caller);
    const fired = await contentOf(caller, await fire(caller, appId, 'manual'), 'ready');
    expect(dataOf<Moment[]>(await act(caller, fired.id, 'GET', '/timeline'))[0]).toMatchObject({
      what: 'made',
      by: { kind: 'automation', id: fired.origin?.automationId, name: 'Automation of Pebblo' },
    });
    // The newest 1,000 are answered, oldest first.
    await under.service.db.query(
      `insert into content_timeline (content_id, at, what, version)
       select $1, now() + n * interval '1 second', 'edited', n from generate_series(1, 1001) as n`,
      [deck.id],
    );
    expect((await moments()).map(({ version }) => version)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 2),
    );
  });

  it('a permit is released while its schedule waits to be sent again, and can be requested again', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await act(caller, deck.id, 'POST', '/approve');
    const scheduleId = newId('schedule');
    await ask(caller, deck.id, scheduleId, 1);
    await under.service.publish(scheduleRequeued, {
      subject: scheduleId,
      accountId: caller.accountId,
      sequence: 2,
      data: { schedule: { ...exampleSchedule, id: scheduleId, contentId: deck.id }, firingId: null },
    });
    await eventually(async () => {
      expect((await act(caller, deck.id, 'POST', '/reject')).status).toBe(200);
    });
    const refused = { granted: false, code: 'not_approved', approvalStatus: 'rejected' };
    expect((await ask(caller, deck.id, scheduleId, 2)).body).toEqual(refused);
  });

  it('a permit of a retry outlives the event of the failure before it', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await act(caller, deck.id, 'POST', '/approve');
    const scheduleId = newId('schedule');
    const failed = (sequence: number) =>
      under.service.publish(scheduleFailed, {
        subject: scheduleId,
        accountId: caller.accountId,
        sequence,
        data: { schedule: { ...exampleSchedule, id: scheduleId, contentId: deck.id }, firingId: null },
      });
    await ask(caller, deck.id, scheduleId, 1);
    // The retry asks again, after writing event 2 but before that event arrives here.
    await ask(caller, deck.id, scheduleId, 2);
    await failed(2);
    const marker = await fire(caller, deck.appId, 'manual');
    await contentOf(caller, marker, 'ready');
    expect(codeOf(await act(caller, deck.id, 'POST', '/reject'))).toBe('already_sending');
    await failed(3);
    await eventually(async () => {
      expect((await act(caller, deck.id, 'POST', '/reject')).status).toBe(200);
    });
  });

  it('a permit is refused to a request that arrives after the end of its schedule', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await act(caller, deck.id, 'POST', '/approve');
    const scheduleId = newId('schedule');
    await under.service.publish(scheduleFailed, {
      subject: scheduleId,
      accountId: caller.accountId,
      sequence: 2,
      data: { schedule: { ...exampleSchedule, id: scheduleId, contentId: deck.id }, firingId: null },
    });
    await contentOf(caller, await fire(caller, deck.appId, 'manual'), 'ready');
    expect((await ask(caller, deck.id, scheduleId, 1)).body).toMatchObject({
      granted: false,
      code: 'outdated',
    });
    expect((await act(caller, deck.id, 'POST', '/reject')).status).toBe(200);
    await act(caller, deck.id, 'POST', '/approve');
    expect((await ask(caller, deck.id, scheduleId, 2)).body).toMatchObject({ granted: true });
  });

  it('send permits are granted to scheduling alone', async () => {
    const caller = testCaller();
    const answer = await under.service.call('POST', requestSendPermit.path.replace('{id}', 'content_x'), {
      sender: 'automation',
      body: { scheduleId: 's', accountId: caller.accountId, afterSequence: 0 },
    });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
  });
});
