/** Loses each event of a firing's journey between outbox and consumer; the firing still completes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { automation } from '@hookline/automation';
import { reconcileFirings } from '@hookline/automation/testing';
import { content } from '@hookline/content';
import { reconcilePermits } from '@hookline/scheduling/testing';
import { createCallSigner, createServiceClient, type ServiceClient } from '@hookline/shared/http';
import { loadSettings, newId } from '@hookline/shared/kernel';
import { openDedicatedConnection } from '@hookline/shared/postgres';
import { startSimulators } from '@hookline/simulators/simulators';
import { eventually } from '@hookline/testing/eventually';
import {
  createMigratedDatabase,
  signingKeysFor,
  startTestService,
  type TestService,
  testCaller,
} from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../../services/scheduling/test/world.ts';

const closing: (() => Promise<unknown>)[] = [];
let world: World;
let owner: TestService;
let service: TestService;
let admin: Awaited<ReturnType<typeof openDedicatedConnection>>;
let asAutomation: ServiceClient;
let asScheduling: ServiceClient;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hookline-lost-events-'));
  const database = await createMigratedDatabase();
  const stores = await startSimulators({ port: 0, dataDir: join(dataDir, 'stores') });
  const common = { PUBLIC_URL: 'http://localhost:8080', DATA_DIR: dataDir };
  owner = await startTestService(content, {
    database,
    env: {
      ...common,
      APP_STORE_URL: `http://127.0.0.1:${stores.port}/appstore`,
      GOOGLE_PLAY_URL: `http://127.0.0.1:${stores.port}/googleplay`,
    },
  });
  world = await startWorld({ database, contentUrl: owner.url, simulators: { publishDelayMs: 50 } });
  const urls = { CONTENT_URL: owner.url, SCHEDULING_URL: world.service.url };
  service = await startTestService(automation, { database, env: { ...common, ...urls } });
  admin = await openDedicatedConnection(database.url, 'test');
  // A bus that drops events: the relay considers the event published, but nobody receives it.
  await admin.query(
    `create table bus.lost (type text);
     grant select on bus.lost to bus;
     create function bus.lose() returns trigger language plpgsql as $$ begin
       if exists (select 1 from bus.lost where type = new.headers->>'ce_type') then return null; end if;
       return new;
     end $$;
     create trigger lose before insert on bus.messages for each row execute function bus.lose()`,
  );
  const clientOf = (sender: 'automation' | 'scheduling') => {
    const ring = { SERVICE_SIGNING_KEYS: signingKeysFor(sender) };
    return createServiceClient({
      sender,
      sign: createCallSigner(loadSettings(['SERVICE_SIGNING_KEYS'], ring).SERVICE_SIGNING_KEYS ?? []),
      peers: { content: [owner.url], scheduling: [world.service.url] },
    });
  };
  asAutomation = clientOf('automation');
  asScheduling = clientOf('scheduling');
  closing.push(
    () => asAutomation.close(),
    () => asScheduling.close(),
    () => admin.end(),
    () => service.stop(),
    () => world.stop(),
    () => owner.stop(),
    () => stores.close(),
    () => database.drop(),
    async () => rmSync(dataDir, { recursive: true, force: true }),
  );
}, 60_000);
afterAll(async () => {
  for (const close of closing) await close();
});

type Row = Record<string, string | null>;

async function one(text: string, ...values: unknown[]): Promise<Row> {
  return (await admin.query<Row>(text, values)).rows[0] ?? {};
}

async function startFiring(
  times = 1,
): Promise<{ caller: ReturnType<typeof testCaller>; automationId: string; username: string }> {
  const caller = testCaller();
  const body = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  const app = await owner.call('POST', '/v1/apps', { caller, body });
  const appId = (app.body as { data: { id: string } }).data.id;
  const account = await world.connect(caller, { appId });
  const made = await service.call('POST', '/v1/automations', {
    caller,
    body: {
      ...{ appId, tiktokAccountId: account.id, format: 'slideshow', approvalMode: 'auto' },
      postingTimes: [{ time: '09:00', days: ['mon'] }],
    },
  });
  const automationId = (made.body as { data: { id: string } }).data.id;
  for (let time = 0; time < times; time += 1) {
    await service.call('POST', `/v1/automations/${automationId}/run`, { caller });
  }
  return { caller, automationId, username: account.username };
}

const firingOf = (automationId: string) =>
  one('select * from automation.firings where automation_id = $1', automationId);

/** Makes the data look as if half an hour had passed without activity. */
async function age(automationId: string): Promise<void> {
  await admin.query(
    `update automation.firings set updated_at = updated_at - interval '31 minutes' where automation_id = $1`,
    [automationId],
  );
}

const reconcile = () =>
  reconcileFirings({ db: service.db, peers: asAutomation, now: () => new Date(), log: service.log }, null);

// The owner's row where the journey stops without the event.
const journey: [type: string, stood: (firing: Row) => Promise<unknown>][] = [
  ['automation.fired', async firing => expect(firing.status).toBe('fired')],
  [
    'job.completed',
    async firing => {
      // The approval overtakes it: nothing stops, and the firing learns its content from the approval.
      expect(firing.schedule_id).not.toBeNull();
    },
  ],
  [
    'content.approved',
    async firing => {
      const of = await one('select * from content.contents where origin_firing_id = $1', firing.id);
      expect(of.approval_status).toBe('approved');
      expect(firing.status).toBe('generated');
    },
  ],
  [
    'automation.schedule_requested',
    async firing => {
      expect(firing.schedule_requested_at).not.toBeNull();
      expect(firing.status).toBe('generated');
    },
  ],
  [
    'schedule.sent_to_drafts',
    async firing => {
      const of = await one('select * from scheduling.schedules where firing_id = $1', firing.id);
      expect(of.status).toBe('sent');
      expect(firing.status).toBe('scheduled');
    },
  ],
];

describe('a lost event', () => {
  it.each(journey)(
    '%s: the firing ends as done, with one post',
    async (type, stood) => {
      await admin.query('insert into bus.lost values ($1)', [type]);
      const { caller, automationId } = await startFiring();
      await eventually(async () => stood(await firingOf(automationId)), 30_000);
      // The event that was just awaited has left the outbox and was dropped.
      await eventually(async () => {
        const waiting = await one(
          `select (select count(*) from automation.outbox) + (select count(*) from content.outbox)
           + (select count(*) from scheduling.outbox) as count`,
        );
        expect(Number(waiting.count)).toBe(0);
      });
      await admin.query('delete from bus.lost');
      const before = await firingOf(automationId);
      await reconcile();
      // Nothing is repaired before its time.
      if (before.status !== 'done') expect(await firingOf(automationId)).toEqual(before);
      await eventually(async () => {
        if ((await firingOf(automationId)).status !== 'done') {
          await age(automationId);
          await reconcile();
        }
        expect((await firingOf(automationId)).status).toBe('done');
      }, 30_000);
      const { data } = (await world.call(caller, 'GET', '/v1/schedules')).body;
      expect(data).toMatchObject([{ status: 'sent' }]);
      // Also a request that was repeated asks for the time of the first one.
      const { schedule_requested_at: askedAt } = await firingOf(automationId);
      expect(new Date(data[0].scheduledFor)).toEqual(askedAt);
    },
    90_000,
  );

  it('automation.fired: the firing is skipped while the deletion of its workspace waits', async () => {
    await admin.query(`insert into bus.lost values ('automation.fired')`);
    const { caller, automationId } = await startFiring();
    await eventually(async () => {
      expect(await one('select count(*)::int as count from automation.outbox')).toEqual({ count: 0 });
    });
    await admin.query('delete from bus.lost');
    await admin.query(`insert into automation.workspace_standings values ($1, 'frozen', 1, now())`, [
      caller.accountId,
    ]);
    await age(automationId);
    await reconcile();
    const skipped = { status: 'skipped', reason: 'the workspace was about to be deleted' };
    expect(await firingOf(automationId)).toMatchObject(skipped);
  });

  it('automation.fired: the firing keeps its topic and its manual approval through a change of both', async () => {
    await admin.query(`insert into bus.lost values ('automation.fired')`);
    const { caller, automationId } = await startFiring(0);
    const path = `/v1/automations/${automationId}`;
    const before = { topics: ['small habits', 'large habits'], approvalMode: 'manual' };
    await service.call('PATCH', path, { caller, body: before });
    await service.call('POST', `${path}/run`, { caller });
    await eventually(async () => {
      expect(await one('select count(*)::int as count from automation.outbox')).toEqual({ count: 0 });
    });
    await admin.query('delete from bus.lost');
    await service.call('PATCH', path, { caller, body: { topics: ['other habits'], approvalMode: 'auto' } });
    await age(automationId);
    await reconcile();
    await eventually(async () => {
      const { id } = await firingOf(automationId);
      const of = await one(
        `select brief->>'topic' as topic, origin_approval_mode as mode from content.contents where origin_firing_id = $1`,
        id,
      );
      expect(of).toEqual({ topic: 'small habits', mode: 'manual' });
    }, 30_000);
  });

  it.each(['fired', 'generated'])(
    'job.completed of a content that waits for a person: a firing that is %s says why',
    async known => {
      await admin.query(`insert into bus.lost values ('job.completed')`);
      const { caller, automationId } = await startFiring(0);
      await admin.query(
        `update content.apps set unreviewed =
           '[{"item": "name", "by": {"kind": "key", "id": "key_1", "name": "agent"}, "authorId": "user_1", "at": ""}]'
         where id = (select app_id from automation.automations where id = $1)`,
        [automationId],
      );
      await service.call('POST', `/v1/automations/${automationId}/run`, { caller });
      const made = await eventually(async () => {
        const firing = await firingOf(automationId);
        const of = await one('select * from content.contents where origin_firing_id = $1', firing.id);
        expect(of.status).toBe('ready');
        return of;
      }, 30_000);
      await eventually(async () => {
        expect(await one('select count(*)::int as count from content.outbox')).toEqual({ count: 0 });
      });
      await admin.query('delete from bus.lost');
      // `generated`: as a consumer heard it that knew of no reasons.
      await admin.query('update automation.firings set status = $2 where automation_id = $1', [
        automationId,
        known,
      ]);
      await age(automationId);
      await reconcile();
      expect(made.waits_because).not.toBeNull();
      expect(await firingOf(automationId)).toMatchObject({
        status: 'awaiting_approval',
        reason: made.waits_because,
      });
    },
    60_000,
  );

  it('releases the permit of a schedule that ended, but not of one that is being sent or was granted again', async () => {
    await admin.query(`insert into bus.lost values ('schedule.sent_to_drafts')`);
    const { automationId } = await startFiring();
    await eventually(async () => {
      const firing = await firingOf(automationId);
      const of = await one('select status from scheduling.schedules where firing_id = $1', firing.id);
      expect(of.status).toBe('sent');
    }, 30_000);
    const permit = () =>
      one(
        `select p.* from content.send_permits p join scheduling.schedules s on s.id = p.schedule_id
         join automation.firings f on f.id = s.firing_id where f.automation_id = $1`,
        automationId,
      );
    const open = await permit();
    expect(open.released_at).toBeNull();
    const reconcile = () => reconcilePermits({ db: world.service.db, peers: asScheduling }, null);
    // Younger than 30 minutes.
    await reconcile();
    expect((await permit()).released_at).toBeNull();
    await admin.query(`update content.send_permits set granted_at = granted_at - interval '31 minutes'`);
    // Granted again after the event that scheduling knows of.
    await admin.query('update content.send_permits set after_sequence = 1000 where schedule_id = $1', [
      open.schedule_id,
    ]);
    await reconcile();
    expect((await permit()).released_at).toBeNull();
    await admin.query('update content.send_permits set after_sequence = $2 where schedule_id = $1', [
      open.schedule_id,
      open.after_sequence,
    ]);
    await admin.query(`update scheduling.schedules set status = 'sending', outcome = null where id = $1`, [
      open.schedule_id,
    ]);
    await reconcile();
    expect((await permit()).released_at).toBeNull();
    await admin.query(
      `update scheduling.schedules set status = 'sent', outcome = 'sent_to_drafts' where id = $1`,
      [open.schedule_id],
    );
    // One whose schedule was withdrawn.
    await admin.query(
      `insert into content.send_permits
       select 'schedule_gone', content_id, version, 1, granted_at, null, null from content.send_permits where schedule_id = $1`,
      [open.schedule_id],
    );
    await reconcile();
    expect(await permit()).toMatchObject({ outcome: 'sent' });
    expect(
      (await one(`select outcome from content.send_permits where schedule_id = 'schedule_gone'`)).outcome,
    ).toBe('failed');
    await admin.query('delete from bus.lost');
  }, 90_000);
});

it('releases the permit of a Posted whose write never came', async () => {
  const caller = testCaller();
  const ask = async (path: string, given?: object) => {
    const headers = { 'idempotency-key': newId('req') };
    return (await owner.call('POST', path, { caller, headers, body: given })).body as {
      data: Row;
      error?: { code: string };
    };
  };
  const store = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  const appId = (await ask('/v1/apps', store)).data.id;
  const brief = { templateId: 'quote-card' };
  const { data: deck } = await ask('/v1/content', { appId, type: 'slideshow', brief });
  await ask(`/v1/content/${deck.id}/approve`);
  const phone = await world.call(caller, 'POST', '/v1/accounts/phone', { name: 'Maya makes' });
  const body = { contentId: deck.id, tiktokAccountId: phone.body.data.id };
  const { id } = (await world.schedule(caller, body)).body.data;
  const posted = () => world.call(caller, 'POST', `/v1/schedules/${id}/posted`);
  const lock = await openDedicatedConnection(world.service.database.url, 'test');
  await lock.query('begin');
  await lock.query('select from scheduling.schedules where id = $1 for update', [id]);
  expect((await posted()).status).toBe(502);
  await lock.end();
  const reject = () => ask(`/v1/content/${deck.id}/reject`);
  const reconcile = () => reconcilePermits({ db: world.service.db, peers: asScheduling }, null);
  await reconcile();
  expect((await reject()).error?.code).toBe('already_sending');
  await admin.query(
    `update content.send_permits set granted_at = granted_at - interval '31 minutes' where schedule_id = $1`,
    [id],
  );
  await reconcile();
  expect((await reject()).data.approvalStatus).toBe('rejected');
}, 60_000);

describe('a database of its own that forgot', () => {
  const done = (automationId: string) =>
    eventually(async () => {
      const firing = await firingOf(automationId);
      if (firing.status !== 'done') {
        await age(automationId);
        await reconcile();
      }
      expect(firing.status).toBe('done');
      return firing;
    }, 30_000);

  const chargesOf = (caller: ReturnType<typeof testCaller>) =>
    one(
      `select count(*)::int as count from content.credit_ledger where account_id = $1 and reason = 'generation'`,
      caller.accountId,
    );

  it('a run does not make another deck, charge or post for it when the request is repeated', async () => {
    const { caller, automationId } = await startFiring(0);
    const run = () =>
      service.call('POST', `/v1/automations/${automationId}/run`, {
        caller,
        headers: { 'idempotency-key': 'once' },
      });
    await run();
    const first = await done(automationId);
    await admin.query('delete from automation.firings where automation_id = $1', [automationId]);
    await admin.query('delete from automation.idempotency_keys where account_id = $1', [caller.accountId]);
    await run();
    const { id, content_id, schedule_id } = await done(automationId);
    expect({ id, content_id, schedule_id }).toEqual({
      id: first.id,
      content_id: first.content_id,
      schedule_id: first.schedule_id,
    });
    expect(await chargesOf(caller)).toEqual({ count: 1 });
    const { data } = (await world.call(caller, 'GET', '/v1/schedules')).body;
    expect(data).toMatchObject([{ id: schedule_id, status: 'sent' }]);
  }, 90_000);

  it('a deck makes it again under its id, charged once', async () => {
    await admin.query(`insert into bus.lost values ('content.approved')`);
    const { caller, automationId } = await startFiring();
    const { content_id: id } = await eventually(async () => {
      const firing = await firingOf(automationId);
      expect(firing.status).toBe('generated');
      return firing;
    }, 30_000);
    await eventually(async () => {
      expect(await one('select count(*)::int as count from content.outbox')).toEqual({ count: 0 });
    });
    await admin.query('delete from bus.lost');
    for (const table of ['slide_images', 'approvals', 'content_timeline', 'credit_ledger']) {
      await admin.query(`delete from content.${table} where content_id = $1`, [id]);
    }
    await admin.query('delete from content.contents where id = $1', [id]);
    await admin.query(
      'update content.credit_accounts set balance = balance + 1, spent = spent - 1 where account_id = $1',
      [caller.accountId],
    );
    expect(await done(automationId)).toMatchObject({ content_id: id });
    expect(await one('select status from content.contents where id = $1', id)).toEqual({ status: 'ready' });
    expect(await chargesOf(caller)).toEqual({ count: 1 });
    const { data } = (await world.call(caller, 'GET', '/v1/schedules')).body;
    expect(data).toMatchObject([{ contentId: id, status: 'sent' }]);
  }, 90_000);

  it('a schedule that was sent makes it again under its id, for which content permits no call', async () => {
    const { caller, automationId, username } = await startFiring();
    const { id, schedule_id: scheduleId } = await done(automationId);
    await eventually(async () => {
      const known = await one('select * from content.known_schedules where schedule_id = $1', scheduleId);
      expect(known.is_waiting).toBe(false);
    });
    await admin.query('delete from scheduling.schedule_timeline where schedule_id = $1', [scheduleId]);
    await admin.query('delete from scheduling.schedules where id = $1', [scheduleId]);
    await admin.query('delete from scheduling.schedule_requests where firing_id = $1', [id]);
    await admin.query('delete from scheduling.event_sequences where resource = $1', [
      `schedule:${scheduleId}`,
    ]);
    // Automation had not heard of the schedule.
    await admin.query(
      `update automation.firings set status = 'generated', schedule_id = null where id = $1`,
      [id],
    );
    await age(automationId);
    await reconcile();
    await eventually(async () => {
      const { data } = (await world.call(caller, 'GET', `/v1/schedules/${scheduleId}`)).body;
      const what = data.timeline.map((line: { what: string }) => line.what);
      expect(what).toEqual(expect.arrayContaining(['sending', 'put_off']));
      expect(what).not.toContain('attempt_started');
    }, 30_000);
    expect(await world.posts(username)).toHaveLength(1);
  }, 90_000);
});
