/** creator_info, row by row: its fields and its errors. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrived, connect, control, initBody, mediaServer, post, send, startSim } from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ now: () => now }));
let token: string;
let now = Date.now();

beforeEach(async () => {
  now = Date.now();
  await control(sim, 'POST', 'reset');
  token = await connect(sim);
});

const ask = (given = token) => post(sim, 'creator_info/query/', given);
const change = (body: Record<string, unknown>) => control(sim, 'PUT', 'tiktok/accounts/maya.makes', body);

describe('fields', () => {
  it('are all there, in the envelope whose error says ok', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        creator_avatar_url: expect.stringMatching(/^http.*\/avatars\/maya\.makes\.png$/),
        creator_username: 'maya.makes',
        creator_nickname: 'Maya Makes',
        privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
        comment_disabled: false,
        duet_disabled: false,
        stitch_disabled: false,
        max_video_post_duration_sec: 600,
      },
      error: { code: 'ok', message: '', log_id: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/) },
    });
    const avatar = await send('GET', body.data.creator_avatar_url.replace('localhost', '127.0.0.1'));
    expect(avatar.headers.get('content-type')).toBe('image/png');
  });

  it('list PUBLIC for an unaudited client too', async () => {
    await control(sim, 'PUT', 'tiktok/client', { audited: false });
    expect((await ask()).body.data.privacy_level_options).toContain('PUBLIC_TO_EVERYONE');
  });

  it('needs no body', async () => {
    const answer = await fetch(`${sim.url}/tiktok/v2/post/publish/creator_info/query/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });

  it('follow the creator: private options, comments off, another name', async () => {
    await change({
      commentDisabled: true,
      displayName: 'Maya',
      privacyLevels: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    });
    expect((await ask()).body.data).toMatchObject({
      comment_disabled: true,
      creator_nickname: 'Maya',
      privacy_level_options: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    });
  });
});

describe('cannot post now: HTTP 200 with the code', () => {
  it('spam_risk_too_many_posts once the day is full, for 24 hours', async () => {
    await change({ postsPerDayMax: 1 });
    await post(sim, 'content/init/', token, initBody([`${media.url}/1080x1350-a.jpg`]));
    await arrived(sim, 1);
    const full = await ask();
    expect([full.status, full.body.error.code]).toEqual([200, 'spam_risk_too_many_posts']);
    now += 86_400_001;
    expect((await ask(await connect(sim))).body.error.code).toBe('ok');
  });

  it('spam_risk_user_banned_from_posting', async () => {
    await change({ banned: true });
    const banned = await ask();
    expect([banned.status, banned.body.error.code]).toEqual([200, 'spam_risk_user_banned_from_posting']);
  });

  it('reached_active_user_cap for the sixth creator of an unaudited client', async () => {
    await control(sim, 'PUT', 'tiktok/client', { audited: false });
    const privacyLevels = ['FOLLOWER_OF_CREATOR', 'SELF_ONLY'];
    for (let index = 1; index <= 5; index += 1) {
      await control(sim, 'PUT', `tiktok/accounts/quiet${index}`, { privacyLevels });
      const body = initBody([`${media.url}/1080x1350-a.jpg`]);
      await post(sim, 'content/init/', await connect(sim, `quiet${index}`), body);
    }
    const refused = await ask();
    expect([refused.status, refused.body.error.code]).toEqual([200, 'reached_active_user_cap']);
    expect((await ask(await connect(sim, 'quiet1'))).body.error.code).toBe('ok');
  });
});

describe('errors', () => {
  it('401 access_token_invalid without, with a wrong and with an expired token', async () => {
    const path = `${sim.url}/tiktok/v2/post/publish/creator_info/query/`;
    expect((await send('POST', path, {})).body.error.code).toBe('access_token_invalid');
    expect((await ask('act.wrong')).status).toBe(401);
    now += 7_200_001;
    expect([(await ask()).status, (await ask()).body.error.code]).toEqual([401, 'access_token_invalid']);
  });

  it('401 scope_not_authorized for a drafts-only grant', async () => {
    const answer = await ask(await connect(sim, 'maya.makes', 'user.info.basic,video.upload'));
    expect([answer.status, answer.body.error.code]).toEqual([401, 'scope_not_authorized']);
  });

  it('429 rate_limit_exceeded at the 21st call of a sliding minute, per token', async () => {
    for (let count = 0; count < 20; count += 1) expect((await ask()).status).toBe(200);
    const over = await ask();
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect((await ask(await connect(sim))).status).toBe(200);
    now += 60_000;
    expect((await ask()).status).toBe(200);
  });

  it('500 internal_error on demand', async () => {
    const fault = { platform: 'tiktok', operation: 'creator_info', kind: 'internal_error', share: 1 };
    await control(sim, 'PUT', 'faults', [fault]);
    expect([(await ask()).status, (await ask()).body.error.code]).toEqual([500, 'internal_error']);
  });

  it('carries no data in either of the two shapes seen live', async () => {
    const shapes = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      const { body } = await ask('act.wrong');
      expect(body.error).toMatchObject({
        code: 'access_token_invalid',
        message: expect.stringMatching(/\w/),
      });
      shapes.add(JSON.stringify(body.data ?? null));
    }
    expect([...shapes].sort()).toEqual(['null', '{}']);
  });
});
