import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { jpeg } from '@hookline/testing/jpeg';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, startWorld, type World } from './world.ts';

const world = perSuite(startWorld);
let ready: Awaited<ReturnType<World['ready']>>;
const tomorrow = (): string => new Date(Date.now() + dayMs).toISOString();

beforeAll(async () => {
  ready = await world.ready();
});

/** Requests a draft of a new deck for tomorrow, with the given changes. */
async function create(change: Record<string, unknown> = {}, caller = ready.caller) {
  const content = world.content.addDeck(ready.caller.accountId);
  return await world.schedule(caller, {
    contentId: content.id,
    tiktokAccountId: ready.account.id,
    scheduledFor: tomorrow(),
    ...change,
  });
}

function expectError(answer: { status: number; body: Json }, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
}

const publish = { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' };

describe('POST /v1/schedules', () => {
  it('400 when scheduledFor is more than 60 s in the past, and 201 within', async () => {
    expectError(
      await create({ scheduledFor: new Date(Date.now() - 61_000).toISOString() }),
      400,
      'invalid_request',
    );
    expect((await create({ scheduledFor: new Date(Date.now() - 30_000).toISOString() })).status).toBe(201);
  });
  it('400 when branded content would be private', async () => {
    const answer = await create({ mode: 'publish', privacyLevel: 'SELF_ONLY', brandedContent: true });
    expectError(answer, 400, 'invalid_request');
  });
  it("404 not_found for a missing and for another account's content", async () => {
    const foreign = world.content.addDeck(testCaller().accountId);
    const missing = await create({ contentId: 'content_none' });
    const other = await create({ contentId: foreign.id });
    expectError(missing, 404, 'not_found');
    expect(other.body.error.message).toBe(missing.body.error.message);
  });
  it('404 account_not_found for an account of another workspace', async () => {
    const { account } = await world.ready();
    expectError(await create({ tiktokAccountId: account.id }), 404, 'account_not_found');
  });
  it('403 missing_scope for words that nobody approved, where the policy asks for approved ones', async () => {
    const words = { title: 'CLICK evil.example', description: 'Nobody approved this caption.' };
    expect((await create(words)).body.data).toMatchObject(words);
    const approvalPolicy = { ...approvalPolicies.open, postTexts: 'approved_only' } as const;
    const approver = { ...ready.caller, approvalPolicy };
    const agent = { ...approver, scopes: ready.caller.scopes.filter(scope => scope !== 'content:approve') };
    const refused = await create(words, agent);
    expectError(refused, 403, 'missing_scope');
    expect(refused.body.error.message).toMatch(/^title .* postTexts is "approved_only"/);
    expect((await create(words, approver)).body.data).toMatchObject(words);
    expect((await create({}, agent)).body.data).toMatchObject({
      title: '5 habits small enough for a bad day',
    });
  });
  it('403 missing_scope for a post without the AI label by a key that may not approve', async () => {
    const agent = {
      ...ready.caller,
      scopes: ready.caller.scopes.filter(scope => scope !== 'content:approve'),
    };
    for (const mode of [{}, publish]) {
      const refused = await create({ ...mode, aiGenerated: false }, agent);
      expectError(refused, 403, 'missing_scope');
      expect(refused.body.error.message).toMatch(/^aiGenerated /);
      expect((await create({ ...mode, aiGenerated: false })).body.data).toMatchObject({ aiGenerated: false });
    }
  });
  it('409 account_not_connected once consent is withdrawn, before no_images', async () => {
    const { caller, account, username } = await world.ready();
    await world.control('POST', `tiktok/accounts/${username}/disconnect`, { reason: 1 });
    const content = world.content.addDeck(caller.accountId, { images: [] });
    const body = { contentId: content.id, tiktokAccountId: account.id };
    await expect
      .poll(async () => (await world.schedule(caller, body)).body.error.code, { timeout: 5_000 })
      .toBe('account_not_connected');
  });
  it('409 account_needs_reauth when the grant lacks what the mode needs', async () => {
    const caller = testCaller();
    const account = await world.connect(caller, {
      granted: 'user.info.basic,user.info.profile,video.upload',
    });
    expect(account).toMatchObject({ canPublish: false, privacyLevels: [], checkedAt: null });
    const content = world.content.addDeck(caller.accountId);
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: tomorrow() };
    expectError(await world.schedule(caller, { ...body, ...publish }), 409, 'account_needs_reauth');
    expect((await world.schedule(caller, body)).status).toBe(201);
  });
  it('409 image_too_large by its bytes', async () => {
    const content = world.content.addDeck(ready.caller.accountId);
    const bytes = Buffer.concat([jpeg(1080, 1350, 'x'), Buffer.alloc(20_000_000)]);
    world.content.images.set(content.images[0]!.imageId, bytes);
    const answer = await create({ contentId: content.id });
    expectError(answer, 409, 'image_too_large');
    expect(answer.body.error.message).toMatch(/20000000/);
  });
  it.each(['FOLLOWER_OF_CREATOR', ''])(
    '400 invalid_privacy_level for "%s" on a public account',
    async level => {
      const answer = await create({ mode: 'publish', privacyLevel: level });
      expectError(answer, 400, 'invalid_privacy_level');
      expect(answer.body.error.message).toBe(
        'privacyLevel must be one that the account allows: PUBLIC_TO_EVERYONE, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY',
      );
    },
  );
  it('400 invalid_privacy_level for a draft, too, where the options of the account are known', async () => {
    expectError(await create({ privacyLevel: 'FOLLOWER_OF_CREATOR' }), 400, 'invalid_privacy_level');
    expect((await create({ privacyLevel: 'SELF_ONLY' })).status).toBe(201);
    const { caller, content } = await world.ready();
    const drafts = await world.connect(caller, { granted: 'user.info.basic,video.upload' });
    const body = { contentId: content.id, tiktokAccountId: drafts.id, scheduledFor: tomorrow() };
    expect((await world.schedule(caller, { ...body, privacyLevel: 'FOLLOWER_OF_CREATOR' })).status).toBe(201);
  });
  it('409 already_scheduled, also for simultaneous requests', async () => {
    const content = world.content.addDeck(ready.caller.accountId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ contentId: content.id })));
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
    expectError(await create({ contentId: content.id, ...publish }), 409, 'already_scheduled');
  });
  it("409 tiktok_create_failed with the platform's text when it says not now", async () => {
    const { caller, content, account, username } = await world.ready();
    await world.control('PUT', `tiktok/accounts/${username}`, { canPost: false });
    await world.service.db.query('update platform_accounts set checked_at = null where id = $1', [
      account.id,
    ]);
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: tomorrow() };
    const answer = await world.schedule(caller, { ...body, ...publish });
    expectError(answer, 409, 'tiktok_create_failed');
    expect(answer.body.error.message).toContain('daily post cap');
    // A draft does not call the platform (D-44).
    expect((await world.schedule(caller, body)).status).toBe(201);
  });
});

describe('POST /v1/schedules without scheduledFor', () => {
  it('409 tiktok_create_failed for a refused draft; the row stays as failed and does not wait', async () => {
    const { caller, content, account } = await world.ready();
    await world.setFaults({ operation: 'content_init', kind: 'spam_risk_too_many_pending_share', times: 1 });
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const answer = await world.schedule(caller, body);
    expectError(answer, 409, 'tiktok_create_failed');
    expect(answer.body.error.message).toContain('Too many shares');
    const { body: list } = await world.call(caller, 'GET', '/v1/schedules?status=failed');
    expect(list.data).toHaveLength(1);
    expect(list.data[0].failure).toMatchObject({ category: 'rate_limited', retryable: true });
    expect((await world.schedule(caller, body)).status).toBe(201);
  });
  it('a direct post asks the platform first, whatever is known of the account: 409, then 502, and no row', async () => {
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id, ...publish };
    await world.control('PUT', `tiktok/accounts/${username}`, { canPost: false });
    const refused = await world.schedule(caller, body);
    expectError(refused, 409, 'tiktok_create_failed');
    expect(refused.body.error.message).toContain('daily post cap');
    await world.control('PUT', `tiktok/accounts/${username}`, { canPost: true });
    await world.setFaults({ operation: 'creator_info', kind: 'connection_dropped', times: 1 });
    expectError(await world.schedule(caller, body), 502, 'tiktok_create_failed');
    expect((await world.call(caller, 'GET', '/v1/schedules')).body.data).toEqual([]);
    // A rate limit of the query does not refuse the post.
    await world.setFaults({ operation: 'creator_info', kind: 'rate_limit_exceeded', times: 1 });
    expect((await world.schedule(caller, body)).status).toBe(201);
  });
  it('502 tiktok_publish_failed for a refused post, stored under its key', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults({ operation: 'content_init', kind: 'url_ownership_unverified', times: 1 });
    const body = { contentId: content.id, tiktokAccountId: account.id, ...publish };
    const headers = { 'idempotency-key': 'once' };
    const first = await world.call(caller, 'POST', '/v1/schedules', body, headers);
    expectError(first, 502, 'tiktok_publish_failed');
    const again = await world.call(caller, 'POST', '/v1/schedules', body, headers);
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(502);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await world.posts(username)).toEqual([]);
  });
});

describe('POST /v1/schedules with Idempotency-Key', () => {
  it('a repeated Idempotency-Key answers the same bytes and writes one row', async () => {
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const headers = { 'idempotency-key': '"k-1"' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.call(caller, 'POST', '/v1/schedules', body, headers)),
    );
    expect(new Set(answers.map(answer => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    await world.over(caller, answers[0]!.body.data.id);
    expect(await world.posts(username)).toHaveLength(1);
    const other = await world.call(caller, 'POST', '/v1/schedules', { ...body, title: 'x' }, headers);
    expectError(other, 400, 'idempotency_key_reused');
    expect(other.body.error.message).toContain('Idempotency-Key');
  });
  it('a request that outlives its lease finds the post of the repeat that took over, and makes none', async () => {
    const { caller, content, account, username } = await world.ready();
    const body = { contentId: content.id, tiktokAccountId: account.id };
    const ask = () => world.call(caller, 'POST', '/v1/schedules', body, { 'idempotency-key': 'slow' });
    const gate = Promise.withResolvers<void>();
    world.content.readsAfter = gate.promise;
    const slow = ask();
    const expired = `update idempotency_keys set locked_until = '2026-01-01' where account_id = $1 and key = 'slow' returning 1`;
    await eventually(async () =>
      expect(await world.service.db.query(expired, [caller.accountId])).toHaveLength(1),
    );
    world.content.readsAfter = null;
    const repeat = await ask();
    expect(repeat.status, repeat.text).toBe(201);
    await world.over(caller, repeat.body.data.id);
    gate.resolve();
    expectError(await slow, 409, 'invalid_request');
    expect((await ask()).text).toBe(repeat.text);
    expect(await world.posts(username)).toHaveLength(1);
  });
  it('a 4xx releases the Idempotency-Key', async () => {
    const { caller, content, account } = await world.ready();
    content.approvalStatus = 'pending';
    const body = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: tomorrow() };
    const headers = { 'idempotency-key': 'k-2' };
    expectError(await world.call(caller, 'POST', '/v1/schedules', body, headers), 409, 'not_approved');
    content.approvalStatus = 'approved';
    expect((await world.call(caller, 'POST', '/v1/schedules', body, headers)).status).toBe(201);
  });
});

describe('GET /v1/content/{id}/preflight', () => {
  it('preflight reports each problem of the privacy level once, and calls the platform once', async () => {
    const { caller, content, account, username } = await world.ready();
    const ask = async (privacyLevel: string) => {
      const query = `tiktokAccountId=${account.id}&mode=publish&privacyLevel=${privacyLevel}`;
      const { body } = await world.call(caller, 'GET', `/v1/content/${content.id}/preflight?${query}`);
      return body.data.problems.map((one: Json) => one.code);
    };
    expect(await ask('FRIENDS')).toEqual(['invalid_privacy_level']);
    await world.control('PUT', `tiktok/accounts/${username}`, { canPost: false });
    await world.service.db.query('update platform_accounts set checked_at = null where id = $1', [
      account.id,
    ]);
    expect(await ask('FOLLOWER_OF_CREATOR')).toEqual(['tiktok_create_failed']);
  });
});
