import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrived, connect, control, initBody, mediaServer, post, startSim } from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() =>
  startSim({ now: () => now, verifiedUrls: ['media.example.com', 'https://cdn.example.com/p/'] }),
);
let now = Date.now();
let photo: string;

beforeAll(async () => {
  photo = `${media.url}/1080x1350-a.jpg`;
});

beforeEach(async () => {
  now = Date.now();
  await control(sim, 'POST', 'reset');
});

async function init(token: string, body: unknown): Promise<[number, string]> {
  const answer = await post(sim, 'content/init/', token, body);
  return [answer.status, answer.body.error.code];
}

describe('POST /v2/post/publish/content/init/', () => {
  it('401 scope_not_authorized when the grant lacks the scope of the mode', async () => {
    const upload = await connect(sim, 'maya.makes', 'video.upload');
    expect(await init(upload, initBody([photo]))).toEqual([401, 'scope_not_authorized']);
    expect(await init(upload, initBody([photo], { post_mode: 'MEDIA_UPLOAD' }))).toEqual([200, 'ok']);
    const publish = await connect(sim, 'maya.makes', 'video.publish');
    expect(await init(publish, initBody([photo], { post_mode: 'MEDIA_UPLOAD' }))).toEqual([
      401,
      'scope_not_authorized',
    ]);
  });

  const good = () => initBody([photo]);

  it.each([undefined, 'FOLLOWER_OF_CREATOR', 'EVERYONE'])(
    '403 privacy_level_option_mismatch for %s',
    async level => {
      const body = initBody([photo], {}, { privacy_level: level });
      expect(await init(await connect(sim), body)).toEqual([403, 'privacy_level_option_mismatch']);
    },
  );

  it('403 for an unaudited client unless the account is private and the level SELF_ONLY', async () => {
    await control(sim, 'PUT', 'tiktok/client', { audited: false });
    const code = 'unaudited_client_can_only_post_to_private_accounts';
    expect(await init(await connect(sim), good())).toEqual([403, code]);
    const leo = await connect(sim, 'leo.quiet');
    expect(await init(leo, initBody([photo], {}, { privacy_level: 'FOLLOWER_OF_CREATOR' }))).toEqual([
      403,
      code,
    ]);
    expect(await init(leo, good())).toEqual([200, 'ok']);
  });

  it('403 url_ownership_unverified for a host that is not verified', async () => {
    const token = await connect(sim);
    for (const url of [
      'https://evilmedia.example.com/1.jpg',
      'http://media.example.com/1.jpg',
      'https://cdn.example.com/q/1.jpg',
    ]) {
      expect(await init(token, initBody([photo, url]))).toEqual([403, 'url_ownership_unverified']);
    }
    expect(
      await init(token, initBody(['https://a.media.example.com/1.jpg', 'https://cdn.example.com/p/1.jpg'])),
    ).toEqual([200, 'ok']);
  });

  it('403 spam_risk_too_many_pending_share at the sixth open draft, and a finished draft frees a slot', async () => {
    const token = await connect(sim);
    const draft = initBody([photo], { post_mode: 'MEDIA_UPLOAD' });
    await control(sim, 'PUT', 'tiktok/accounts/maya.makes', { initPerMinuteMax: 100 });
    for (let count = 0; count < 5; count += 1) expect(await init(token, draft)).toEqual([200, 'ok']);
    expect(await init(token, draft)).toEqual([403, 'spam_risk_too_many_pending_share']);
    const [first] = await arrived(sim, 5);
    expect((await control(sim, 'POST', `tiktok/drafts/${first.publishId}/publish`)).status).toBe(303);
    expect(await init(token, draft)).toEqual([200, 'ok']);
  });

  it('429 rate_limit_exceeded on the seventh call in any sliding minute, and not a moment longer', async () => {
    const token = await connect(sim);
    const start = now;
    for (let count = 0; count < 6; count += 1) {
      now = start + count * 1000;
      expect((await init(token, 'no JSON'))[0]).toBe(400);
    }
    now = start + 59_999;
    const refused = await post(sim, 'content/init/', token, good());
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('retry-after')).toBeNull();
    now = start + 60_000;
    expect((await init(token, good()))[0]).toBe(200);
    expect((await init(token, good()))[0]).toBe(429);
  });

  it('refuses before it counts: another creator has a window of their own', async () => {
    const maya = await connect(sim);
    for (let count = 0; count < 7; count += 1) await init(maya, good());
    expect(await init(await connect(sim, 'studio.nord'), good())).toEqual([200, 'ok']);
  });

  it('logs every init that had a valid token', async () => {
    const token = await connect(sim);
    await init(token, '{}');
    await init(token, good());
    const rows = (await control(sim, 'GET', 'init-requests?account=maya.makes')).body;
    expect(rows.map((row: { code: string }) => row.code)).toEqual(['invalid_param', 'ok']);
  });
});

describe('paths that do not exist', () => {
  it('404 in TikTok’s envelope', async () => {
    const answer = await post(sim, 'video/init/', await connect(sim));
    expect([answer.status, typeof answer.body.error.log_id]).toEqual([404, 'string']);
  });
});
