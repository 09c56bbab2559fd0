import { createHash, createHmac } from 'node:crypto';
import { automationScheduleRequested } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { inMs, type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

const whats = (schedule: Json): string[] => schedule.timeline.map((row: Json) => row.what);

async function postNow(change: Record<string, unknown> = {}) {
  const ready = await world.ready();
  const created = await world.schedule(ready.caller, {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    ...change,
  });
  return { ...ready, created };
}

const inits = (username: string): Promise<Json[]> =>
  world.control('GET', `init-requests?account=${username}`);

describe('the fence', () => {
  it('a call without an answer loses its links, a new one follows at once, and a late pull meets 404', async () => {
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_answer_dropped', times: 1 },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 800 },
    );
    const { caller, created, username } = await postNow();
    const done = await world.over(caller, created.body.data.id);
    expect(whats(done).filter(what => what === 'attempt_started')).toHaveLength(2);
    expect(whats(done)).toContain('attempt_closed');
    await eventually(async () => {
      const { counters } = await world.control('GET', `tiktok/accounts/${username}`);
      expect(counters).toMatchObject({ accepted: 2, arrived: 1, failed: 1 });
    });
    // The webhook about the fenced call's failure did not affect the schedule.
    const { body } = await world.call(caller, 'GET', `/v1/schedules/${done.id}`);
    expect(body.data.status).toBe('sent');
  });

  it('the failure of a fenced call does not end the open one', async () => {
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_answer_dropped', times: 1 },
      { operation: 'pull', kind: 'late_pull', times: 1, delayMs: 600 },
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 2_000 },
      { operation: 'webhook', kind: 'lost', times: 1 },
    );
    const { caller, created, username } = await postNow();
    const done = await world.over(caller, created.body.data.id);
    expect(done.status).toBe('sent');
    expect(await inits(username)).toHaveLength(2);
    expect(await world.posts(username)).toHaveLength(1);
    const seen = await world.service.db.query<Json>(
      `select e.event, a.state from platform_events e left join attempts a on a.publish_id = e.publish_id
       where a.schedule_id = $1`,
      [done.id],
    );
    expect(seen).toEqual([{ event: 'post.publish.failed', state: 'fenced' }]);
  });

  it('a call whose slides were pulled is never repeated; the webhook settles it', async () => {
    await world.setFaults({
      operation: 'content_init',
      kind: 'accepted_then_slow',
      times: 1,
      delayMs: 3_000,
    });
    const { caller, created, username } = await postNow();
    const done = await world.over(caller, created.body.data.id);
    expect(done.status).toBe('sent');
    expect(await inits(username)).toHaveLength(1);
    expect(await world.posts(username)).toHaveLength(1);
  });
});

describe('answers of the platform', () => {
  it('"too many" puts a post off, and it stays one post', async () => {
    await world.setFaults({ operation: 'content_init', kind: 'rate_limit_exceeded', times: 1 });
    const { caller, created, username, account } = await postNow();
    expect(created.status).toBe(201);
    expect(['pending', 'sending']).toContain(created.body.data.status);
    await world.service.db.query(`update creators set next_init_at = null`);
    await world.service.db.query(
      `update schedules set due_at = now() where platform_account_id = $1 and status = 'pending'`,
      [account.id],
    );
    expect((await world.over(caller, created.body.data.id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  });

  it('an account posts 6 times a minute', async () => {
    const { caller, account, username } = await world.ready();
    const made = await Promise.all(
      Array.from({ length: 8 }, () => {
        const deck = world.content.addDeck(caller.accountId);
        const due = new Date(Date.now() + 100).toISOString();
        return world.schedule(caller, { contentId: deck.id, tiktokAccountId: account.id, scheduledFor: due });
      }),
    );
    expect(made.map(answer => answer.status)).toEqual(Array.from({ length: 8 }, () => 201));
    await eventually(async () => expect(await world.posts(username)).toHaveLength(6), 15_000);
    const { body } = await world.call(caller, 'GET', '/v1/schedules?status=pending');
    expect(body.data).toHaveLength(2);
    for (const { id } of body.data) {
      const { body: waiting } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(waiting.data.timeline.at(-1)).toEqual({
        at: expect.any(String),
        what: 'paced',
        detail: expect.stringMatching(/^[1-9]\d? s until its turn: the account has 6 posts a minute$/),
      });
    }
    expect((await inits(username)).every(row => row.code === 'ok')).toBe(true);
  });

  it.each([
    ['picture_size_check_failed', 'content', false],
    ['spam_risk', 'platform_rejected', false],
    ['spam_risk_too_many_posts', 'rate_limited', true],
    ['spam_risk_text', 'platform_rejected', false],
  ])('FAILED with %s ends as failed, category %s', async (kind, category, retryable) => {
    await world.setFaults({ operation: 'publish', kind, times: 1 });
    const { caller, created } = await postNow();
    expect(created.status).toBe(201);
    const done = await world.over(caller, created.body.data.id);
    expect(done.failure).toMatchObject({
      code: 'tiktok_create_failed',
      category,
      retryable,
      platformMessage: kind,
    });
    await eventually(() => {
      const types = world.service.published.filter(m => m.key === done.id).map(m => m.headers.ce_type);
      expect(types).toEqual(['schedule.created', 'schedule.failed']);
    });
  });

  it('a refused token is refreshed once, and the post is made', async () => {
    await world.setFaults({ operation: 'content_init', kind: 'access_token_invalid', times: 1 });
    const { caller, created, username } = await postNow();
    expect((await world.over(caller, created.body.data.id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  });

  it('a post waits while no key opens the tokens, and is made once one does', async () => {
    const { caller, content, account, username } = await world.ready();
    const { db } = world.service;
    const [kept] = await db.query<{ access: string; refresh: string }>(
      `update platform_accounts a set access_token_sealed = 'gone:AAAA', refresh_token_sealed = 'gone:AAAA'
       from platform_accounts b where a.id = $1 and b.id = a.id
       returning b.access_token_sealed as access, b.refresh_token_sealed as refresh`,
      [account.id],
    );
    const order = { contentId: content.id, tiktokAccountId: account.id, scheduledFor: inMs(100) };
    const { body } = await world.schedule(caller, order);
    const { id } = body.data;
    await eventually(async () => {
      const { data } = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body;
      expect(data.timeline.at(-1)).toMatchObject({
        what: 'put_off',
        detail: 'no key opens the tokens of the account',
      });
    }, 10_000);
    // Later tries wait longer, so that it can be withdrawn or moved until then.
    await db.query('update schedules set tries = 6, due_at = now() where id = $1 and lease_until is null', [
      id,
    ]);
    await eventually(async () => {
      const { data } = (await world.call(caller, 'GET', `/v1/schedules/${id}`)).body;
      expect(data.status).toBe('pending');
    }, 10_000);
    await db.query(
      'update platform_accounts set access_token_sealed = $2, refresh_token_sealed = $3 where id = $1',
      [account.id, kept?.access, kept?.refresh],
    );
    expect(
      (await world.call(caller, 'PATCH', `/v1/schedules/${id}`, { scheduledFor: inMs(50) })).status,
    ).toBe(200);
    expect((await world.over(caller, id)).status).toBe('sent');
    expect(await world.posts(username)).toHaveLength(1);
  }, 40_000);

  it('the privacy level is checked against the account again at send time', async () => {
    const { caller, content, account, username } = await world.ready();
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      mode: 'publish',
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      scheduledFor: new Date(Date.now() + 400).toISOString(),
    });
    await world.control('PUT', `tiktok/accounts/${username}`, {
      privacyLevels: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    });
    const done = await world.over(caller, created.body.data.id);
    expect(done.failure).toMatchObject({ code: 'invalid_privacy_level', category: 'content' });
    expect(await inits(username)).toEqual([]);
  });

  it('comments are off where the creator turned them off', async () => {
    const caller = testCaller();
    const username = await world.newCreator();
    await world.control('PUT', `tiktok/accounts/${username}`, { commentDisabled: true });
    const account = await world.connect(caller, { username });
    const content = world.content.addDeck(caller.accountId);
    const body = {
      contentId: content.id,
      tiktokAccountId: account.id,
      mode: 'publish',
      privacyLevel: 'SELF_ONLY',
    };
    const created = await world.schedule(caller, body);
    expect(created.body.data.disableComment).toBe(true);
    await world.over(caller, created.body.data.id);
    expect((await world.posts(username))[0].disableComment).toBe(true);
  });
});

describe('/media/posts/{attempt}/{n}', () => {
  it("a slide's link serves its bytes while the attempt is open; 404 once it is over, or for a wrong token", async () => {
    await world.setFaults({ operation: 'pull', kind: 'late_pull', times: 1, delayMs: 1_500 });
    const { caller, created, content } = await postNow();
    const id = created.body.data.id;
    const token = 'a-token-of-the-test';
    await world.service.db.query('update attempts set media_digest = $2 where schedule_id = $1', [
      id,
      createHash('sha256').update(token).digest(),
    ]);
    const url = (given: string, slide: string) => `${world.service.url}/media/posts/${given}/${slide}`;
    const answer = await fetch(url(token, '2'), { redirect: 'manual' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect(bytes).toEqual(world.content.images.get(content.images[1]!.imageId));
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    const [row] = await world.service.db.query<Json>(
      'select pulled_at from attempts where schedule_id = $1',
      [id],
    );
    expect(row.pulled_at).not.toBeNull();
    for (const [given, slide] of [
      [token, '4'],
      [token, '0'],
      [token, 'x'],
      ['wrong', '1'],
    ]) {
      expect((await fetch(url(given as string, slide as string))).status).toBe(404);
    }
    // The platform's own pull got 404: the call failed, and the schedule waits for another.
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(whats(body.data)).toContain('requeued');
    });
    const late = await fetch(url(token, '1'));
    expect(late.status).toBe(404);
    expect(((await late.json()) as Json).error.code).toBe('not_found');
  });
});

describe('POST /platform/tiktok/events', () => {
  const secret = 'simulator-client-secret';
  const send = (body: string, header: string | null) =>
    fetch(`${world.service.url}/platform/tiktok/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(header ? { 'tiktok-signature': header } : {}) },
      body,
    });
  const sign = (body: string, seconds: number, key = secret) =>
    `t=${seconds},s=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  const removed = (openId: string, at = nowSeconds()) =>
    JSON.stringify({
      client_key: 'simulator-client-key',
      event: 'authorization.removed',
      create_time: at,
      user_openid: openId,
      content: '{"reason":1}',
    });

  it('a webhook answers 401 for a wrong, missing, changed or stale signature', async () => {
    const body = removed('nobody');
    const now = nowSeconds();
    expect((await send(body, null)).status).toBe(401);
    expect((await send(body, sign(body, now, 'another')))!.status).toBe(401);
    expect((await send(`${body} `, sign(body, now))).status).toBe(401);
    expect((await send(body, sign(body, now - 301))).status).toBe(401);
    expect((await send(body, sign(body, now + 310))).status).toBe(401);
    expect((await send(body, sign(body, now - 290))).status).toBe(200);
  });

  it('the end of a consent that we revoke ourselves asks nobody to connect again', async () => {
    const { caller, account, username } = await world.ready();
    const { openId } = await world.control('GET', `tiktok/accounts/${username}`);
    await world.setFaults({ operation: 'oauth_revoke', kind: 'slow', delayMs: 1_500, times: 1 });
    const removing = world.call(caller, 'DELETE', `/v1/accounts/${account.id}`);
    await eventually(async () => {
      const asked: Json[] = await world.control('GET', 'requests?prefix=/tiktok/v2/oauth/revoke');
      expect(asked.filter(({ status }) => status === null)).toHaveLength(1);
    });
    const body = removed(openId);
    expect((await send(body, sign(body, nowSeconds()))).status).toBe(200);
    await removing;
    const told = () =>
      world.service.published.flatMap(({ key, headers }) => (key === account.id ? headers.ce_type : []));
    await eventually(() => expect(told()).toContain('account.disconnected'));
    expect(told()).not.toContain('account.needs_reauth');
  });

  it('a repeated webhook is applied once, and a late one not to a newer connection', async () => {
    const { caller, account, username } = await world.ready();
    const { openId } = await world.control('GET', `tiktok/accounts/${username}`);
    const late = removed(openId, nowSeconds() - 60);
    expect((await send(late, sign(late, nowSeconds()))).status).toBe(200);
    const status = async () => (await world.call(caller, 'GET', '/v1/accounts')).body.data[0].status;
    expect(await status()).toBe('connected');
    const body = removed(openId, nowSeconds() + 1);
    expect((await send(body, sign(body, nowSeconds()))).status).toBe(200);
    expect(await status()).toBe('disconnected');
    const told = () =>
      world.service.published.filter(
        ({ key, headers }) => key === account.id && headers.ce_type === 'account.needs_reauth',
      );
    await eventually(() => expect(told()).toHaveLength(1));
    await world.service.db.query('update platform_accounts set status = $2 where id = $1', [
      account.id,
      'needs_reauth',
    ]);
    expect((await send(body, sign(body, nowSeconds()))).status).toBe(200);
    expect(await status()).toBe('needs_reauth');
    expect(told()).toHaveLength(1);
  });

  it.each([
    ['a late failure of an older call', 'post.publish.failed', 3_600],
    ['an older post that is no longer public', 'post.publish.no_longer_publicaly_available', 0],
    ['an older draft that its creator posted', 'post.publish.complete', 0],
  ])('%s is not taken for the call that is open', async (_, event, ageSeconds) => {
    await world.setFaults(
      { operation: 'content_init', kind: 'accepted_then_slow', times: 1, delayMs: 6_000 },
      { operation: 'webhook', kind: 'lost' },
    );
    const { caller, content, account, username } = await world.ready();
    const { openId } = await world.control('GET', `tiktok/accounts/${username}`);
    const due = new Date(Date.now() + 100).toISOString();
    const made = await world.schedule(caller, {
      ...{ contentId: content.id, tiktokAccountId: account.id, scheduledFor: due },
    });
    const { id } = made.body.data;
    const attempt = async (): Promise<Json> => {
      const [row] = await world.service.db.query<Json>(
        'select state, pulled_at, publish_id from attempts where schedule_id = $1',
        [id],
      );
      return row;
    };
    await eventually(async () => expect((await attempt()).pulled_at).not.toBeNull());
    const body = JSON.stringify({
      ...{ client_key: 'simulator-client-key', event, user_openid: openId },
      create_time: nowSeconds() - ageSeconds,
      content: JSON.stringify({
        ...{ publish_id: `p_photo_old_${id}`, publish_type: 'INBOX_SHARE', reason: 'internal' },
      }),
    });
    expect((await send(body, sign(body, nowSeconds()))).status).toBe(200);
    expect(['calling', 'unconfirmed']).toContain((await attempt()).state);
    expect((await attempt()).publish_id).toBeNull();
    const { body: seen } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
    expect(seen.data.status).toBe('sending');
    await world.setFaults();
  });

  it('a webhook whose texts hold what Postgres cannot store settles its call', async () => {
    await world.setFaults({ operation: 'webhook', kind: 'lost' });
    const { created, username } = await postNow();
    const { openId } = await world.control('GET', `tiktok/accounts/${username}`);
    const publishId = await eventually(async () => {
      const [row] = await world.service.db.query<Json>(
        'select publish_id from attempts where schedule_id = $1',
        [created.body.data.id],
      );
      expect(row?.publish_id).toBeTruthy();
      return row!.publish_id;
    });
    const body = JSON.stringify({
      ...{ client_key: 'simulator-client-key', event: 'post.publish.failed', user_openid: openId },
      create_time: nowSeconds(),
      content: JSON.stringify({ publish_id: publishId, reason: 'no\u0000 reason \ud83d' }),
    });
    expect((await send(body, sign(body, nowSeconds()))).status).toBe(200);
    await world.setFaults();
  });

  it('a webhook answers 400 for a signed body that is not an event', async () => {
    expect((await send('[]', sign('[]', nowSeconds()))).status).toBe(400);
    expect((await send('{', sign('{', nowSeconds()))).status).toBe(400);
  });
});

describe('automation.schedule_requested', () => {
  const request = (accountId: string, contentId: string, tiktokAccountId: string, change: Json = {}) => ({
    automationId: newId('automation'),
    firingId: newId('firing'),
    contentId,
    tiktokAccountId,
    scheduledFor: new Date(Date.now() - 120_000).toISOString(),
    mode: 'draft' as const,
    privacyLevel: null,
    keyIds: [],
    accountId,
    ...change,
  });
  const publish = ({ accountId, ...data }: Json) => {
    const { automationId, firingId } = data;
    const known = world.content.contents.get(data.contentId);
    if (known) known.content.origin = { automationId, firingId };
    return ask({ accountId, ...data });
  };
  const ask = ({ accountId, ...data }: Json) =>
    world.service.publish(automationScheduleRequested, { subject: data.automationId, accountId, data });
  const told = (firingId: string) =>
    world.service.published
      .filter(message => message.topic === 'scheduling.schedules')
      .map(message => ({ type: message.headers.ce_type, data: JSON.parse(message.value) }))
      .filter(event => event.data.firingId === firingId);

  it('a firing is scheduled once, however often its event arrives', async () => {
    const { caller, content, account, username } = await world.ready();
    const asked = request(caller.accountId, content.id, account.id);
    await Promise.all([publish(asked), publish(asked), publish(asked)]);
    await eventually(() => {
      expect(told(asked.firingId).map(event => event.type)).toEqual([
        'schedule.created',
        'schedule.sent_to_drafts',
      ]);
    }, 10_000);
    expect(await world.posts(username)).toHaveLength(1);
    const { body } = await world.call(caller, 'GET', '/v1/schedules');
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ automationId: asked.automationId });
  });

  it('a firing publishes with the right held at creation, and without a level least publicly', async () => {
    const { caller, content, account, username } = await world.ready();
    const asked = request(caller.accountId, content.id, account.id, { mode: 'publish' });
    await publish(asked);
    await eventually(() => {
      expect(told(asked.firingId).map(event => event.type)).toEqual([
        'schedule.created',
        'schedule.published',
      ]);
    }, 10_000);
    expect((await world.posts(username))[0].privacyLevel).toBe('SELF_ONLY');
  });

  it("a firing with another firing's, or another account's, content is rejected", async () => {
    const { caller, content, account } = await world.ready();
    const asked = request(caller.accountId, content.id, account.id);
    const foreign = request(testCaller().accountId, content.id, account.id);
    await Promise.all([ask(asked), ask(foreign)]);
    for (const { firingId } of [asked, foreign]) {
      await eventually(() =>
        expect(told(firingId)).toMatchObject([{ type: 'schedule.rejected', data: { code: 'not_found' } }]),
      );
    }
  });

  it('schedule.rejected has the code that POST /schedules would answer', async () => {
    const { caller, account } = await world.ready();
    const content = world.content.addDeck(caller.accountId, { approvalStatus: 'rejected' });
    const asked = request(caller.accountId, content.id, account.id);
    await publish(asked);
    await eventually(() => {
      const [event] = told(asked.firingId);
      expect(event).toMatchObject({
        type: 'schedule.rejected',
        data: { code: 'not_approved', contentId: content.id, automationId: asked.automationId },
      });
    }, 10_000);
  });
});
