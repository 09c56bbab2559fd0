/** What the routes of schedules answer in states and forms that the tests of posting do not reach. */
import { dayMs } from '@hookline/shared/kernel/durations';
import { localTime } from '@hookline/shared/kernel/posting-times';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

const code = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const publish = { mode: 'publish', privacyLevel: 'SELF_ONLY' };

async function waiting(change: Record<string, unknown> = {}) {
  const ready = await world.ready();
  const body = {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor: inMs(3_600_000),
  };
  const created = await world.schedule(ready.caller, { ...body, ...change });
  return { ...ready, created, id: created.body.data?.id as string };
}

/** A post whose call is delayed by the platform. */
async function onItsWay() {
  await world.setFaults(
    { operation: 'content_init', kind: 'slow', times: 1, delayMs: 2_500 },
    { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 0 },
  );
  const found = await waiting({ scheduledFor: inMs(30) });
  await eventually(async () => {
    const { body } = await world.call(found.caller, 'GET', `/v1/schedules/${found.id}`);
    expect(body.data.timeline.map((row: Json) => row.what)).toContain('attempt_started');
  });
  return found;
}

describe('a schedule in flight', () => {
  it('a schedule in flight answers 409 already_sending to DELETE, PATCH and retry, and arrives once', async () => {
    const { caller, id, username } = await onItsWay();
    const path = `/v1/schedules/${id}`;
    expect(code(await world.call(caller, 'DELETE', path))).toEqual([409, 'already_sending']);
    const moved = await world.call(caller, 'PATCH', path, { scheduledFor: inMs(60_000) });
    expect(code(moved)).toEqual([409, 'already_sending']);
    expect(code(await world.call(caller, 'POST', `${path}/retry`))).toEqual([409, 'already_sending']);
    expect((await world.over(caller, id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  });
});

describe('a failed schedule', () => {
  it('a failed schedule answers 400 to PATCH, stays readable, and does not count as waiting', async () => {
    await world.setFaults({
      operation: 'content_init',
      kind: 'spam_risk_user_banned_from_posting',
      times: 1,
    });
    const found = await waiting({ scheduledFor: undefined });
    expect(code(found.created)).toEqual([409, 'tiktok_create_failed']);
    const { body } = await world.call(found.caller, 'GET', '/v1/schedules');
    const { id } = body.data[0];
    const moved = await world.call(found.caller, 'PATCH', `/v1/schedules/${id}`, {
      scheduledFor: inMs(60_000),
    });
    expect(code(moved)).toEqual([400, 'invalid_request']);
    const read = await world.call(found.caller, 'GET', `/v1/schedules/${id}`);
    expect(read.body.data).toMatchObject({
      status: 'failed',
      outcome: null,
      sentAt: null,
      failure: {
        code: 'tiktok_create_failed',
        category: 'account',
        message: 'TikTok has banned this account from posting.',
        retryable: false,
        platformMessage: 'The user is banned from making new posts.',
      },
    });
    const again = {
      contentId: found.content.id,
      tiktokAccountId: found.account.id,
      scheduledFor: inMs(60_000),
    };
    expect((await world.schedule(found.caller, again)).status).toBe(201);
  });

  it('retry answers 409 already_scheduled while the pair waits in another schedule', async () => {
    await world.setFaults({ operation: 'content_init', kind: 'spam_risk_too_many_pending_share', times: 1 });
    const found = await waiting({ scheduledFor: undefined });
    const { body } = await world.call(found.caller, 'GET', '/v1/schedules');
    const other = {
      contentId: found.content.id,
      tiktokAccountId: found.account.id,
      scheduledFor: inMs(60_000),
    };
    await world.schedule(found.caller, other);
    const retried = await world.call(found.caller, 'POST', `/v1/schedules/${body.data[0].id}/retry`);
    expect(code(retried)).toEqual([409, 'already_scheduled']);
  });
});

describe('the record', () => {
  it("a schedule's record has every field, null where there is no value, and UTC times with milliseconds", async () => {
    const { caller, content, account } = await world.ready();
    const at = new Date(Date.now() + dayMs);
    const { body } = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: localTime(at, 'Asia/Kolkata'),
      title: 'T',
      description: '',
      disableComment: true,
      aiGenerated: false,
      autoAddMusic: false,
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^schedule_\w{1,32}$/),
      createdBy: { kind: 'key', id: expect.stringMatching(/^key_/), name: 'test key' },
      externalId: null,
      metadata: null,
      createdAt: time,
      updatedAt: time,
      contentId: content.id,
      contentVersion: 1,
      tiktokAccountId: account.id,
      status: 'pending',
      mode: 'draft',
      privacyLevel: null,
      scheduledFor: at.toISOString(),
      title: 'T',
      description: '',
      disableComment: true,
      brandOrganic: false,
      brandedContent: false,
      aiGenerated: false,
      autoAddMusic: false,
      waitsBecause: null,
      thumbnailUrl: expect.stringMatching(/&w=270$/),
      outcome: null,
      failure: null,
      platformPostId: null,
      platformPostUrl: null,
      sentAt: null,
      automationId: null,
    });
  });

  it('a timeline of more than 1,000 lines ends with the newest', async () => {
    const { caller, id } = await waiting();
    await world.service.db.query(
      `insert into schedule_timeline (schedule_id, at, what, detail)
       select $1, now(), 'moved', 'to ' || n from generate_series(1, 1100) n`,
      [id],
    );
    const moved = { scheduledFor: inMs(7_200_000) };
    await world.call(caller, 'PATCH', `/v1/schedules/${id}`, moved);
    const { timeline } = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body.data;
    expect(timeline).toHaveLength(1000);
    expect(timeline.slice(-2).map(({ detail }: Json) => detail)).toEqual([
      'to 1100',
      `to ${new Date(moved.scheduledFor).toISOString()}`,
    ]);
  });

  it('a schedule keeps the time of consent, the key and the request', async () => {
    const { id, caller, created } = await waiting(publish);
    const [row] = await world.service.db.query<Json>(
      'select consented_at, key_id, request_id from schedules where id = $1',
      [id],
    );
    expect(row.consented_at.toISOString()).toBe(created.body.data.createdAt);
    expect(row.key_id).toBe(caller.keyId);
    expect(row.request_id).toMatch(/^req_/);
  });

  it.each([
    ['title', '😀'.repeat(46)],
    ['description', '😀'.repeat(2_001)],
  ])('POST /v1/schedules answers 400 for %s out of bounds, naming it', async (field, value) => {
    const { created } = await waiting({ [field]: value });
    expect(code(created)).toEqual([400, 'invalid_request']);
    expect(created.body.error.message).toContain(field);
  });
});

describe('creator info', () => {
  const asked = async (): Promise<number> =>
    (await world.control('GET', 'requests?prefix=/tiktok/v2/post/publish/creator_info')).length;

  it('creator info is not asked for a draft, neither at creation nor at send', async () => {
    const { caller, content, account } = await world.ready();
    const before = await asked();
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const created = await world.schedule(caller, body);
    await world.over(caller, created.body.data.id);
    expect(await asked()).toBe(before);
  });

  it('creator info is asked before every direct post, and at creation once it is a minute old', async () => {
    const { caller, account } = await world.ready();
    const order = () => ({
      contentId: world.content.addDeck(caller.accountId).id,
      tiktokAccountId: account.id,
      scheduledFor: inMs(3_600_000),
      ...publish,
    });
    let before = await asked();
    await world.schedule(caller, order());
    await world.schedule(caller, order());
    expect((await asked()) - before).toBe(0);
    await world.service.db.query(
      `update platform_accounts set checked_at = now() - interval '61 seconds' where id = $1`,
      [account.id],
    );
    before = await asked();
    await world.schedule(caller, order());
    expect((await asked()) - before).toBe(1);
    before = await asked();
    const now = await world.schedule(caller, { ...order(), scheduledFor: undefined });
    await world.over(caller, now.body.data.id);
    expect((await asked()) - before).toBe(1);
  });
});

describe('POST /v1/schedules?dryRun', () => {
  it('dryRun answers 400 for another value, takes no key and writes no row', async () => {
    const { caller, content, account } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const wrong = await world.call(caller, 'POST', '/v1/schedules?dryRun=maybe', body);
    expect(code(wrong)).toEqual([400, 'invalid_request']);
    const headers = { 'idempotency-key': 'dry' };
    const dry = await world.call(caller, 'POST', '/v1/schedules?dryRun=true', body, headers);
    expect([dry.status, dry.body.data.id]).toEqual([200, null]);
    const real = await world.call(caller, 'POST', '/v1/schedules?dryRun=false', body, headers);
    expect([real.status, real.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect({ ...real.body.data, ...timesOf(dry.body.data) }).toMatchObject({
      ...dry.body.data,
      id: real.body.data.id,
      status: expect.stringMatching(/pending|sending|sent/),
      outcome: real.body.data.outcome,
      sentAt: real.body.data.sentAt,
    });
  });

  const timesOf = ({ createdAt, updatedAt, scheduledFor }: Json) => ({ createdAt, updatedAt, scheduledFor });
});

describe('two accounts of different apps', () => {
  it('an account posts for its own app, one without an app for any', async () => {
    const caller = testCaller();
    for (const app of ['product_one', 'product_two']) world.content.apps.set(app, caller.accountId);
    const own = await world.connect(caller, { appId: 'product_one' });
    const other = await world.connect(caller, { appId: 'product_two' });
    const any = await world.connect(caller);
    expect([own.appId, other.appId, any.appId]).toEqual(['product_one', 'product_two', null]);
    const content = world.content.addDeck(caller.accountId);
    const ask = async (account: Json) =>
      code(
        await world.schedule(caller, {
          contentId: content.id,
          tiktokAccountId: account.id,
          scheduledFor: inMs(60_000),
        }),
      );
    expect(await ask(own)).toEqual([201, undefined]);
    expect(await ask(other)).toEqual([409, 'cross_app']);
    expect(await ask(any)).toEqual([201, undefined]);
  });
  it('a post that waits when its account is connected for another app is not sent', async () => {
    const caller = testCaller();
    for (const app of ['product_one', 'product_two']) world.content.apps.set(app, caller.accountId);
    const username = await world.newCreator();
    const { id: tiktokAccountId } = await world.connect(caller, { username, appId: 'product_one' });
    const { id: contentId } = world.content.addDeck(caller.accountId);
    const { body } = await world.schedule(caller, { contentId, tiktokAccountId, scheduledFor: inMs(60_000) });
    await world.connect(caller, { username, appId: 'product_two' });
    await world.call(caller, 'PATCH', `/v1/schedules/${body.data.id}`, { scheduledFor: inMs(20) });
    const { failure } = await world.over(caller, body.data.id);
    expect(failure).toMatchObject({ code: 'cross_app', retryable: true });
    expect(await world.posts(username)).toEqual([]);
  });
});
