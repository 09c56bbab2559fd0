/** status/fetch, row by row: fields, states, fail reasons, errors. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  control,
  initBody,
  type Json,
  listen,
  mediaServer,
  post,
  startSim,
  statusOf,
} from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ moderationDelayMs: 600, now: () => Date.now() + now }));
let token: string;
let now = 0;

beforeEach(async () => {
  now = 0;
  await control(sim, 'POST', 'reset');
  await control(sim, 'PUT', 'tiktok/accounts/maya.makes', { initPerMinuteMax: 100 });
  token = await connect(sim);
});

const setFault = (operation: string, kind: string, more: Record<string, unknown> = {}) =>
  control(sim, 'PUT', 'faults', [{ platform: 'tiktok', operation, kind, share: 1, ...more }]);

async function start(change: Record<string, unknown> = {}, postInfo: Record<string, unknown> = {}) {
  const body = initBody([`${media.url}/1080x1350-a.jpg`, `${media.url}/1080x1350-b.jpg`], change, postInfo);
  return (await post(sim, 'content/init/', token, body)).body.data.publish_id as string;
}

/** Waits via the control route and separate tokens: status calls are rate-limited. */
function ended(publishId: string, status: string): Promise<Json> {
  return eventually(async () => {
    const data = await statusOf(sim, await connect(sim), publishId);
    expect(data?.status).toBe(status);
    return data;
  });
}

const draft = { post_mode: 'MEDIA_UPLOAD' };
const everyone = { privacy_level: 'PUBLIC_TO_EVERYONE' };

describe('states', () => {
  it('PROCESSING_DOWNLOAD while the photos are on their way, with no reason and no ids', async () => {
    await setFault('pull', 'late_pull', { delayMs: 60_000 });
    expect(await statusOf(sim, token, await start())).toEqual({
      status: 'PROCESSING_DOWNLOAD',
      downloaded_bytes: 0,
    });
  });

  it('slow processing stays in PROCESSING_DOWNLOAD after the pull', async () => {
    await setFault('publish', 'slow_processing', { delayMs: 60_000 });
    const publishId = await start();
    await eventually(() => expect(media.requests.length).toBeGreaterThanOrEqual(2));
    expect((await statusOf(sim, token, publishId)).status).toBe('PROCESSING_DOWNLOAD');
  });

  it('SEND_TO_USER_INBOX for a draft, with the bytes that were downloaded', async () => {
    const data = await ended(await start(draft), 'SEND_TO_USER_INBOX');
    expect(data).toEqual({ status: 'SEND_TO_USER_INBOX', downloaded_bytes: expect.any(Number) });
    expect(data.downloaded_bytes).toBeGreaterThan(0);
  });

  it('PUBLISH_COMPLETE without an id first, with it after moderation, for a public post', async () => {
    const publishId = await start({}, everyone);
    expect((await ended(publishId, 'PUBLISH_COMPLETE')).publicaly_available_post_id).toEqual([]);
    await eventually(async () => {
      const answer = await post(sim, 'status/fetch/', await connect(sim), { publish_id: publishId });
      expect(answer.text).toMatch(/"publicaly_available_post_id":\[\d{19}\]/);
    });
  });

  it.each(['SELF_ONLY', 'MUTUAL_FOLLOW_FRIENDS'])('no id ever for a post to %s', async level => {
    await ended(await start({}, { privacy_level: level }), 'PUBLISH_COMPLETE');
    // A public post after it shows that moderation has run.
    const marker = await start({}, everyone);
    await eventually(async () => {
      const posts: Json[] = (await control(sim, 'GET', 'posts')).body;
      expect(posts).toHaveLength(2);
      const shown = await statusOf(sim, await connect(sim), marker);
      expect(shown.publicaly_available_post_id).toHaveLength(1);
    });
    const [first] = (await control(sim, 'GET', 'posts')).body;
    expect((await statusOf(sim, token, first.publishId)).publicaly_available_post_id).toEqual([]);
  });

  it('a draft may become several posts: complete again, one id more', async () => {
    const publishId = await start(draft);
    await ended(publishId, 'SEND_TO_USER_INBOX');
    await control(sim, 'POST', `tiktok/drafts/${publishId}/publish`);
    await control(sim, 'POST', `tiktok/drafts/${publishId}/publish`);
    await eventually(async () => {
      const answer = await post(sim, 'status/fetch/', await connect(sim), { publish_id: publishId });
      const ids = /"publicaly_available_post_id":\[(\d{19}),(\d{19})\]/.exec(answer.text);
      expect(ids?.[1]).not.toBe(ids?.[2]);
      expect(ids).not.toBeNull();
    });
  });
});

describe('fail reasons of photos, on demand', () => {
  it.each([
    'file_format_check_failed',
    'picture_size_check_failed',
    'photo_pull_failed',
    'internal',
    'auth_removed',
    'spam_risk_too_many_posts',
    'spam_risk_user_banned_from_posting',
    'spam_risk_text',
    'spam_risk',
  ])('%s, told by status and by webhook', async reason => {
    const hook = await listen((_request, reply) => reply.writeHead(200).end());
    await control(sim, 'PUT', 'tiktok/client', { webhookUrl: hook.url });
    await setFault('publish', reason);
    const publishId = await start();
    const data = await ended(publishId, 'FAILED');
    expect(data).toMatchObject({ status: 'FAILED', fail_reason: reason });
    expect(data.publicaly_available_post_id).toBeUndefined();
    const told = await eventually(() => JSON.parse(hook.requests[0]!.body));
    expect(told.event).toBe('post.publish.failed');
    expect(JSON.parse(told.content)).toEqual({ publish_id: publishId, publish_type: 'DIRECT_POST', reason });
    await hook.close();
  });

  it('photo_pull_failed once the hour of the download is over', async () => {
    await setFault('pull', 'late_pull', { delayMs: 300 });
    const publishId = await start();
    now = 3_600_001;
    expect((await ended(publishId, 'FAILED')).fail_reason).toBe('photo_pull_failed');
  });
});

describe('errors', () => {
  const ask = async (body: unknown, given = token) => {
    const answer = await post(sim, 'status/fetch/', given, body);
    return [answer.status, answer.body.error.code];
  };

  it('400 invalid_publish_id for an unknown, a missing and a malformed one', async () => {
    for (const body of [{ publish_id: 'p_pub_url~v2.1' }, {}, { publish_id: 1 }, 'no JSON', []]) {
      expect(await ask(body)).toEqual([400, 'invalid_publish_id']);
    }
  });

  it("400 token_not_authorized_for_specified_publish_id for another creator's", async () => {
    const publishId = await start();
    expect(await ask({ publish_id: publishId }, await connect(sim, 'studio.nord'))).toEqual([
      400,
      'token_not_authorized_for_specified_publish_id',
    ]);
  });

  it('401 access_token_invalid and scope_not_authorized; either posting scope is enough', async () => {
    await setFault('pull', 'late_pull', { delayMs: 60_000 });
    const publishId = await start();
    expect(await ask({ publish_id: publishId }, 'act.none')).toEqual([401, 'access_token_invalid']);
    const basic = await connect(sim, 'maya.makes', 'user.info.basic');
    expect(await ask({ publish_id: publishId }, basic)).toEqual([401, 'scope_not_authorized']);
    for (const scope of ['video.upload', 'video.publish']) {
      const [status] = await ask({ publish_id: 'p_pub_url~v2.1' }, await connect(sim, 'maya.makes', scope));
      expect(status).toBe(400);
    }
  });

  it('429 rate_limit_exceeded at the 31st call of a sliding minute', async () => {
    for (let count = 0; count < 30; count += 1) await ask({});
    expect(await ask({})).toEqual([429, 'rate_limit_exceeded']);
    now = 60_000;
    expect(await ask({})).toEqual([400, 'invalid_publish_id']);
  });

  it('500 internal_error on demand', async () => {
    await setFault('status_fetch', 'internal_error');
    expect(await ask({})).toEqual([500, 'internal_error']);
  });
});
