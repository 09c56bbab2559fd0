/** Notifications of browsers, at a push service that decrypts and verifies them. */
import { countContent } from '@hookline/shared/contracts/content';
import { listSchedules } from '@hookline/shared/contracts/schedules';
import {
  accountNeedsReauth,
  contentApproved,
  contentEdited,
  contentRejected,
  type EventDefinition,
  jobCompleted,
  scheduleDue,
  scheduleFailed,
} from '@hookline/shared/events';
import { addRoute, createCallVerifier, createServiceServer } from '@hookline/shared/http';
import { createLogger, loadSettings, newId } from '@hookline/shared/kernel';
import { minuteMs } from '@hookline/shared/kernel/durations';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { signingKeysFor, startTestService, type TestService } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimPushes, insertPushes } from '../src/identity/push/queries.ts';
import { createVapid } from '../src/identity/push/vapid.ts';
import { createGateway } from '../src/service.ts';
import { startPushService } from './push-service.ts';

const nowhere = 'http://127.0.0.1:1';
const content = createServiceServer({
  log: createLogger({ service: 'test', level: 'silent' }),
  verifyCall: createCallVerifier(
    loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor('content') })
      .SERVICE_SIGNING_KEYS ?? [],
    'content',
  ),
  readiness: [],
});
const scheduling = createServiceServer({
  log: createLogger({ service: 'test', level: 'silent' }),
  verifyCall: createCallVerifier(
    loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: signingKeysFor('scheduling') })
      .SERVICE_SIGNING_KEYS ?? [],
    'scheduling',
  ),
  readiness: [],
});
let waiting = 0;
let dueIds = ['schedule_1'];
addRoute(scheduling, listSchedules, async ({ query }) => {
  expect(query.status).toBe('due');
  const { schedule } = scheduleDue.example;
  return { data: dueIds.map(id => ({ ...schedule, id })), nextCursor: null };
});
addRoute(content, countContent, async () => ({
  data: { pending: waiting, changesRequested: 0, approved: 0, rejected: 0, failed: 0, toSchedule: 0 },
}));

let push: Awaited<ReturnType<typeof startPushService>>;
let gateway: TestService;
let accountId: string;
let aheadMs = 0;

async function send(
  token: string,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by their values here.
  return { status: response.status, ...((await response.json()) as any) };
}

const person = { email: 'maya@example.com', password: 'correct horse battery' };
/** A browser that is signed in and takes notifications. */
async function openBrowser() {
  const { data } = await send('', '/auth/sign-in', person);
  const token = data.session.token as string;
  const { publicKey } = (await send(token, '/workspace/notifications')).data.push;
  const subscription = await push.subscribe(publicKey);
  const put = (body: object) => send(token, '/workspace/notifications/browser', body, 'PUT');
  expect(await put(subscription)).toMatchObject({ status: 200, data: { subscribed: true, publicKey } });
  return { token, subscription, put };
}

async function happen<T extends EventDefinition>(definition: T, data: object = definition.example as object) {
  const id = newId('event');
  for (const _ of [1, 2]) await gateway.publish(definition, { id, accountId, subject: id, data });
  await eventually(async () => {
    const told = `select 1 from inbox where event_id = $1 and consumer like '%pushes'`;
    expect(await gateway.db.query(told, [id])).toHaveLength(1);
  }, 20_000);
  return id;
}
const advance = async (ms: number) => {
  aheadMs += ms;
  await gateway.db.query('notify gateway_pushes');
};
const noneWaits = () =>
  eventually(async () => expect(await gateway.db.query('select kind from pushes')).toEqual([]), 20_000);
const titles = () => push.received.map(({ text }) => text.title);

beforeAll(async () => {
  push = await startPushService();
  const env = {
    CONTENT_URL: await content.listen({ port: 0, host: '127.0.0.1' }),
    SCHEDULING_URL: await scheduling.listen({ port: 0, host: '127.0.0.1' }),
    AUTOMATION_URL: nowhere,
    ANALYTICS_URL: nowhere,
    PUBLIC_URL: 'https://hookline.example.com',
    SIGN_UP: 'open',
  };
  gateway = await startTestService(createGateway({ pushTargets: new Set([push.target]) }), {
    env,
    now: () => new Date(Date.now() + aheadMs),
  });
  await send('', '/auth/sign-up', person);
  const [user] = await gateway.db.query<{ accountId: string }>('select account_id as "accountId" from users');
  accountId = user?.accountId ?? '';
});
beforeEach(async () => {
  await gateway.db.query('delete from push_subscriptions');
  push.received.length = 0;
  push.faults.length = 0;
});
afterAll(async () => {
  await gateway?.stop();
  await content.close();
  await scheduling.close();
  await push?.close();
});

it('a browser is signed out while notifications for it are stored', async () => {
  const { token } = await openBrowser();
  const now = new Date();
  const stored = { accountId, roles: ['owner'] as const, dueAt: new Date(now.getTime() + minuteMs), now };
  await gateway.db.transaction(tx => insertPushes(tx, { ...stored, kind: 'post_failed' }));
  let signedOut: ReturnType<typeof send> | undefined;
  await gateway.db.transaction(async tx => {
    await insertPushes(tx, { ...stored, kind: 'post_failed' });
    signedOut = send(token, '/auth/sign-out', {});
    await lockWaits(gateway.db, 1, 'delete from sessions%');
    await insertPushes(tx, { ...stored, kind: 'post_due' });
  });
  expect((await signedOut)?.status).toBe(200);
  await noneWaits();
});

it('a browser is told of each kind once, in words without a secret, and the push service takes every message', async () => {
  await openBrowser();
  waiting = 2;
  await happen(scheduleDue);
  await eventually(() => expect(titles()).toEqual(['A post is due on your phone']), 20_000);
  await happen(contentEdited);
  await happen(accountNeedsReauth);
  for (let post = 0; post < 6; post += 1) await happen(scheduleFailed);
  expect(titles()).toHaveLength(1);
  await advance(minuteMs);
  await noneWaits();
  expect(push.received.map(({ text, urgency }) => ({ ...text, urgency }))).toEqual(
    expect.arrayContaining([
      {
        title: 'A post is due on your phone',
        body: 'maya',
        url: '/console/due/schedule_1',
        tag: `post_due ${accountId}`,
        urgency: 'high',
      },
      {
        title: '2 slideshows wait for your approval',
        body: 'maya',
        url: '/console/approve',
        tag: `decks_waiting ${accountId}`,
        urgency: 'normal',
      },
      {
        title: 'An account must be connected again',
        body: 'maya',
        url: '/console/accounts',
        tag: `account_reconnect ${accountId}`,
        urgency: 'normal',
      },
      {
        title: 'A post failed',
        body: 'maya',
        url: '/console/calendar',
        tag: `post_failed ${accountId}`,
        urgency: 'normal',
      },
    ]),
  );
  expect(push.received).toHaveLength(4);
  expect(new Set(push.received.map(({ topic }) => topic)).size).toBe(4);
  expect(push.refusals).toEqual([]);
});

it('the same news of two workspaces are two notifications, each of which opens its own', async () => {
  await openBrowser();
  const [user] = await gateway.db.query<{ id: string }>('select id from users');
  const other = newId('account');
  await gateway.db.query(
    `insert into workspaces select r.* from workspaces w,
       lateral jsonb_populate_record(w, jsonb_build_object('account_id', $2::text)) r where w.account_id = $1`,
    [accountId, other],
  );
  await gateway.db.query(
    `insert into members (account_id, user_id, role, push_kinds, created_at, updated_at)
     select $2, user_id, role, push_kinds, created_at, updated_at from members where account_id = $1 and user_id = $3`,
    [accountId, other, user!.id],
  );
  for (const workspace of [accountId, other])
    await gateway.publish(scheduleFailed, {
      id: newId('event'),
      accountId: workspace,
      subject: 'schedule_1',
      data: scheduleFailed.example,
    });
  await eventually(async () => expect(await gateway.db.query('select from pushes')).toHaveLength(2), 20_000);
  await advance(minuteMs);
  await noneWaits();
  expect(new Map(push.received.map(({ text: { tag, url } }) => [tag, url]))).toEqual(
    new Map([
      [`post_failed ${accountId}`, '/console/calendar'],
      [`post_failed ${other}`, `/console/in/${other.replace('acct', 'workspace')}/calendar`],
    ]),
  );
  expect(new Set(push.received.map(({ topic }) => topic)).size).toBe(2);
  for (const table of ['members', 'workspaces'])
    await gateway.db.query(`delete from ${table} where account_id = $1`, [other]);
});

it('posts that are due together are one notification, which says how many', async () => {
  await openBrowser();
  dueIds = ['schedule_1', 'schedule_2', 'schedule_3'];
  for (const _ of dueIds) await happen(scheduleDue);
  await noneWaits();
  expect(push.received.map(({ text }) => [text.title, text.url])).toEqual([
    ['3 posts are due on your phone', '/console/calendar'],
  ]);
  // The posts were published or postponed before the notification was sent.
  dueIds = [];
  await happen(scheduleDue);
  await noneWaits();
  expect(push.received).toHaveLength(1);
  dueIds = ['schedule_1'];
});

it('a person is told what was chosen, on every browser, in a role that may act on it', async () => {
  const one = await openBrowser();
  await openBrowser();
  const { data } = await send(one.token, '/workspace/notifications', { pushKinds: ['post_due'] }, 'PATCH');
  expect(data.push).toMatchObject({ kinds: ['post_due'], subscribed: true });
  await happen(scheduleFailed);
  await happen(scheduleDue);
  await eventually(() => expect(push.received).toHaveLength(2), 20_000);
  expect(new Set(push.received.map(({ id }) => id)).size).toBe(2);
  await gateway.db.query(`update members set role = 'editor'`);
  await happen(scheduleDue);
  await gateway.db.query(`update members set role = 'owner'`);
  await send(
    one.token,
    '/workspace/notifications',
    { pushKinds: [...data.push.kinds, 'decks_waiting'] },
    'PATCH',
  );
  waiting = 0;
  await happen(jobCompleted);
  await advance(minuteMs);
  await noneWaits();
  expect(push.received).toHaveLength(2);
  const all = ['decks_waiting', 'link_decided', 'post_due', 'post_failed', 'account_reconnect'];
  await send(one.token, '/workspace/notifications', { pushKinds: all }, 'PATCH');
});

it('a browser that is signed out, unsubscribed or signed in again is told once or not at all', async () => {
  const one = await openBrowser();
  const two = await openBrowser();
  const again = await openBrowser();
  // The same browser under its next session.
  expect((await again.put(two.subscription)).status).toBe(200);
  await send(one.token, '/auth/sign-out', {});
  await happen(scheduleDue);
  await eventually(() => expect(push.received).toHaveLength(1), 20_000);
  expect(two.subscription.endpoint).toContain(push.received[0]?.id);
  const off = await send(again.token, '/workspace/notifications/browser', undefined, 'DELETE');
  expect(off.data.subscribed).toBe(false);
  await happen(scheduleDue);
  await noneWaits();
  expect(push.received).toHaveLength(1);
});

it('one browser that subscribes under several sessions at once has one of them', async () => {
  const browsers = [await openBrowser(), await openBrowser(), await openBrowser(), await openBrowser()];
  const { subscription } = browsers[0]!;
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(browsers.map(({ put }) => put(subscription)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const rows = await gateway.db.query('select 1 from push_subscriptions where endpoint = $1', [
      subscription.endpoint,
    ]);
    expect(rows).toHaveLength(1);
  }
});

it('a decision made with a review link notifies its maker alone', async () => {
  await openBrowser();
  const [user] = await gateway.db.query<{ id: string }>('select id from users');
  const by = { kind: 'reviewer' as const, name: 'Kim', id: newId('review') };
  const data = structuredClone(contentRejected.example);
  Object.assign(data.content.approval!, { by });
  const makeLink = (memberId: string) =>
    gateway.db.query(
      `insert into review_links (id, account_id, content_id, version, may_decide, created_by, member_id, expires_at, created_at, token_hash)
       values ($1, $2, 'content_1', 1, true, '{}', $3, now() + interval '1 day', now(), $4)
       on conflict (id) do update set member_id = $3`,
      [by.id, accountId, memberId, Buffer.from(by.id)],
    );
  await happen(contentRejected, data);
  await gateway.db.query(
    `insert into members (account_id, user_id, role, created_at, updated_at) select account_id, 'user_other', 'approver', now(), now() from users`,
  );
  await makeLink('user_other');
  await happen(contentRejected, data);
  await gateway.publish(contentApproved, {
    id: newId('event'),
    accountId,
    subject: 'content_1',
    data: contentApproved.example,
  });
  await makeLink(user!.id);
  expect(await gateway.db.query('select kind from pushes')).toEqual([]);
  await happen(contentRejected, data);
  await advance(minuteMs);
  await noneWaits();
  expect(push.received.map(({ text }) => [text.title, text.url])).toEqual([
    ['Somebody decided by your link', '/console/posts'],
  ]);
  await gateway.db.query(`delete from members where user_id = 'user_other'`);
  await gateway.db.query('delete from review_links');
});

it('a person who left a workspace gets no notifications from it', async () => {
  await openBrowser();
  await happen(scheduleFailed);
  await gateway.db.query('update members set user_id = user_id || $1', [' left']);
  await advance(minuteMs);
  await noneWaits();
  await gateway.db.query(`update members set user_id = replace(user_id, ' left', '')`);
  expect(push.received).toEqual([]);
});

it('workspaces take turns: one with many notifications keeps none of another waiting', async () => {
  await openBrowser();
  await gateway.db.query(
    `insert into pushes (session_id, account_id, kind, due_at)
     select session_id, owner, 'kind ' || nth, $1::timestamptz + nth * interval '1 ms'
     from push_subscriptions, unnest(array['acct_many', 'acct_one']) owner, generate_series(1, 60) nth
     where owner = 'acct_many' or nth = 60`,
    [new Date(Date.now() + aheadMs + 3_600_000)],
  );
  const now = new Date(Date.now() + aheadMs + 7_200_000);
  const claim = () =>
    claimPushes(gateway.db, { now, untilDue: new Date(now.getTime() + minuteMs), limit: 20 });
  const claimed = [...(await claim()), ...(await claim())];
  expect(claimed.slice(0, 20).map(push => push.accountId)).toContain('acct_one');
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(40);
  await gateway.db.query('delete from pushes');
});

it.each([404, 410])('a push service that answers %i is asked no more', async status => {
  const { token } = await openBrowser();
  push.faults.push({ status, headers: {} });
  await happen(scheduleDue);
  await eventually(async () =>
    expect((await send(token, '/workspace/notifications')).data.push.subscribed).toBe(false),
  );
  await noneWaits();
});

it('a push service that is away is asked again, five times at most, and keeps nobody else waiting', async () => {
  const { token } = await openBrowser();
  push.faults.push({ status: 429, headers: { 'retry-after': '300' } }, { status: 503, headers: {} });
  await happen(scheduleDue);
  const attempts = async (count: number) =>
    eventually(async () => {
      const rows = await gateway.db.query<{ attempts: number }>('select attempts from pushes');
      expect(rows).toEqual([{ attempts: count }]);
      expect(push.faults).toHaveLength(Math.max(0, 2 - count));
    }, 20_000);
  // A claim alone is due again in a minute.
  const postponed = () =>
    eventually(async () => {
      const [row] = await gateway.db.query<{ dueAt: Date }>('select due_at as "dueAt" from pushes');
      expect((row?.dueAt.getTime() ?? 0) - Date.now() - aheadMs).toBeGreaterThan(1.5 * minuteMs);
    }, 20_000);
  await attempts(1);
  await postponed();
  await advance(4 * minuteMs);
  await attempts(1);
  await advance(2 * minuteMs);
  await attempts(2);
  await postponed();
  // It takes the connection and never answers: another browser is told meanwhile.
  const other = await openBrowser();
  push.faults.push({ status: null, headers: {} });
  await advance(5 * minuteMs);
  await eventually(() => expect(push.faults).toEqual([]), 20_000);
  const [hung] = await gateway.db.query<{ id: number; dueAt: Date }>(
    'select id, due_at as "dueAt" from pushes',
  );
  await eventually(async () => {
    const rows = await gateway.db.query<{ dueAt: Date }>('select due_at as "dueAt" from pushes');
    expect(rows[0]?.dueAt.getTime()).toBeGreaterThan((hung?.dueAt.getTime() ?? 0) + 10 * minuteMs);
  }, 20_000);
  await advance(20 * minuteMs);
  await eventually(() => expect(push.received).toHaveLength(1), 20_000);
  await noneWaits();
  push.faults.push({ status: null, headers: {} });
  const startedMs = performance.now();
  await happen(scheduleDue);
  await eventually(() => expect(push.received).toHaveLength(2), 20_000);
  expect(performance.now() - startedMs).toBeLessThan(2_000 + 4_500);
  await send(other.token, '/auth/sign-out', {});
  await gateway.db.query('delete from pushes');

  for (let fault = 0; fault < 5; fault += 1) push.faults.push({ status: 500, headers: {} });
  await happen(scheduleDue);
  await eventually(async () => {
    await advance(61 * minuteMs);
    expect(push.faults).toEqual([]);
    expect(await gateway.db.query('select kind from pushes')).toEqual([]);
  }, 20_000);
  expect(push.received).toHaveLength(2);
  expect((await send(token, '/workspace/notifications')).data.push.subscribed).toBe(true);
});

it.each([
  ['http://push.example.net/a', 'endpoint must use https'],
  ['https://169.254.169.254/latest', 'endpoint must name a public host'],
  ['https://push.example.net/ü', 'endpoint must be a URL of ASCII characters'],
])('400 invalid_request for the endpoint %s', async (endpoint, message) => {
  const { put, subscription } = await openBrowser();
  const refused = await put({ ...subscription, endpoint });
  expect(refused).toMatchObject({ status: 400, error: { code: 'invalid_request', param: 'endpoint' } });
  expect(refused.error.message).toContain(message);
});

it('400 invalid_request for keys that are none', async () => {
  const { put, subscription } = await openBrowser();
  const keys = { ...subscription.keys, p256dh: 'A'.repeat(87) };
  expect(await put({ ...subscription, keys })).toMatchObject({
    status: 400,
    error: { code: 'invalid_request' },
  });
});

it('the key pair is sealed, and the same after a restart and a rotation of signing keys; a lost one ends subscriptions', async () => {
  const { token } = await openBrowser();
  const { publicKey } = (await send(token, '/workspace/notifications')).data.push;
  const { db, log } = gateway;
  const ringOf = (text: string) =>
    loadSettings(['SERVICE_SIGNING_KEYS'], { SERVICE_SIGNING_KEYS: text }).SERVICE_SIGNING_KEYS ?? [];
  const old = signingKeysFor('gateway');
  const deps = { db, log, now: () => new Date(), publicUrl: 'https://hookline.example.com' };
  const sealed = async () => (await db.query<{ sealed: string }>('select sealed from push_keys'))[0]?.sealed;
  const before = await sealed();
  expect(await createVapid(ringOf(old), deps).publicKey()).toBe(publicKey);
  expect(await sealed()).toBe(before);
  const next = `gateway.next:${Buffer.alloc(32, 7).toString('base64')}`;
  expect(await createVapid(ringOf(`${next},${old}`), deps).publicKey()).toBe(publicKey);
  expect(await createVapid(ringOf(next), deps).publicKey()).toBe(publicKey);
  expect((await send(token, '/workspace/notifications')).data.push.subscribed).toBe(true);
  expect(await createVapid(ringOf(old), deps).publicKey()).not.toBe(publicKey);
  expect((await send(token, '/workspace/notifications')).data.push.subscribed).toBe(false);
});
