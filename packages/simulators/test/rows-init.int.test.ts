/** content/init, row by row: the values each field may have, and the order in which a request is checked. */
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrived, connect, control, initBody, mediaServer, post, send, startSim } from './helpers.ts';

const media = perSuite(mediaServer);
const sim = perSuite(() =>
  startSim({ now: () => now, verifiedUrls: ['media.example.com', 'https://cdn.example.com/p/'] }),
);
let now = Date.now();
let token: string;
let photo: string;

beforeAll(async () => {
  photo = `${media.url}/1080x1350-a.jpg`;
});

beforeEach(async () => {
  now = Date.now();
  await control(sim, 'POST', 'reset');
  await change({ initPerMinuteMax: 1_000, postsPerDayMax: 1_000 });
  token = await connect(sim);
});

const change = (body: Record<string, unknown>) => control(sim, 'PUT', 'tiktok/accounts/maya.makes', body);
const source = (more: Record<string, unknown>) => {
  const body = initBody([photo]);
  return { ...body, source_info: { ...body.source_info, ...more } };
};
const info = (more: Record<string, unknown>) => initBody([photo], {}, more);
const draft = (more: Record<string, unknown> = {}, post_info: Record<string, unknown> = {}) =>
  initBody([photo], { post_mode: 'MEDIA_UPLOAD', ...more }, post_info);

async function init(body: unknown, given = token): Promise<[number, string]> {
  const answer = await post(sim, 'content/init/', given, body);
  return [answer.status, answer.body.error.code];
}

const accepted: [number, string] = [200, 'ok'];
const invalid: [number, string] = [400, 'invalid_param'];

describe('fields', () => {
  const units = (count: number) => '𝄞'.repeat(Math.floor(count / 2)) + 'x'.repeat(count % 2);
  it.each<[string, [number, string], () => unknown]>([
    ['media_type PHOTO', accepted, () => initBody([photo])],
    ['media_type missing', invalid, () => initBody([photo], { media_type: undefined })],
    ['media_type VIDEO', invalid, () => initBody([photo], { media_type: 'VIDEO' })],
    ['post_mode missing', invalid, () => initBody([photo], { post_mode: undefined })],
    [
      'post_mode with a space, as the tables print it',
      invalid,
      () => initBody([photo], { post_mode: 'DIRECT POST' }),
    ],
    ['post_mode MEDIA_UPLOAD', accepted, () => draft()],
    ['is_aigc missing', accepted, () => initBody([photo], { is_aigc: undefined })],
    ['is_aigc "true"', invalid, () => initBody([photo], { is_aigc: 'true' })],
    ['title of 90 UTF-16 units', accepted, () => info({ title: units(90) })],
    ['title of 91 UTF-16 units', invalid, () => info({ title: units(91) })],
    ['title missing', accepted, () => info({ title: undefined })],
    ['description of 4000 UTF-16 units', accepted, () => info({ description: units(4000) })],
    ['description of 4001 UTF-16 units', invalid, () => info({ description: units(4001) })],
    ['privacy_level as a number', invalid, () => info({ privacy_level: 1 })],
    ['disable_comment as text', invalid, () => info({ disable_comment: 'no' })],
    ['auto_add_music as a number', invalid, () => info({ auto_add_music: 0 })],
    ['brand_content_toggle as null', invalid, () => info({ brand_content_toggle: null })],
    ['brand_organic_toggle as text', invalid, () => info({ brand_organic_toggle: '' })],
    ['branded content for SELF_ONLY', invalid, () => info({ brand_content_toggle: true })],
    ['a branded draft', accepted, () => draft({}, { brand_content_toggle: true })],
    ['source missing', invalid, () => source({ source: undefined })],
    ['source FILE_UPLOAD', invalid, () => source({ source: 'FILE_UPLOAD' })],
    ['photo_images missing', invalid, () => source({ photo_images: undefined })],
    ['photo_images empty', invalid, () => source({ photo_images: [] })],
    ['35 photos', accepted, () => source({ photo_images: Array(35).fill(photo) })],
    ['36 photos', invalid, () => source({ photo_images: Array(36).fill(photo) })],
    ['a photo that is a number', invalid, () => source({ photo_images: [1] })],
    ['a photo with another scheme', invalid, () => source({ photo_images: ['ftp://h/1.jpg'] })],
    [
      'cover index of the last photo',
      accepted,
      () => source({ photo_images: [photo, photo], photo_cover_index: 1 }),
    ],
    ['cover index missing', invalid, () => source({ photo_cover_index: undefined })],
    ['cover index beyond', invalid, () => source({ photo_cover_index: 1 })],
    ['cover index -1', invalid, () => source({ photo_cover_index: -1 })],
    ['cover index 0.5', invalid, () => source({ photo_cover_index: 0.5 })],
    ['a photo that is no URL', invalid, () => source({ photo_images: ['photo.jpg'] })],
    ['no source_info', invalid, () => initBody([photo], { source_info: undefined })],
    ['no body', invalid, () => ''],
    ['malformed JSON', invalid, () => '{"media_type":'],
    ['a list', invalid, () => []],
    ['post_info as a list', invalid, () => initBody([photo], { post_info: [] })],
  ])('%s: %j', async (_what, expected, body) => {
    expect(await init(body())).toEqual(expected);
  });

  it('400 for a body of another content type, 404 for a path without its last slash', async () => {
    const url = `${sim.url}/tiktok/v2/post/publish/content/init`;
    const authorization = `Bearer ${token}`;
    const body = JSON.stringify(initBody([photo]));
    const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send('POST', `${url}/`, body, form)).status).toBe(400);
    expect((await send('POST', url, body, { authorization })).status).toBe(404);
  });

  it('label a photo post by is_aigc at the top alone, not within post_info', async () => {
    await init(initBody([photo], { is_aigc: undefined }, { is_aigc: true }));
    expect((await arrived(sim, 1))[0].isAigc).toBe(false);
  });
});

describe('grants, hosts and windows', () => {
  it('403 url_ownership_unverified for a host or prefix that is not verified', async () => {
    for (const url of [
      'https://evilmedia.example.com/1.jpg',
      'http://media.example.com/1.jpg',
      'https://cdn.example.com/q/1.jpg',
    ]) {
      expect(await init(initBody([photo, url]))).toEqual([403, 'url_ownership_unverified']);
    }
    const verified = ['https://a.media.example.com/1.jpg', 'https://cdn.example.com/p/1.jpg'];
    expect(await init(initBody(verified))).toEqual(accepted);
  });

  it('429 rate_limit_exceeded on the seventh call in any sliding minute, and not a moment longer', async () => {
    await change({ initPerMinuteMax: 6 });
    const start = now;
    for (let count = 0; count < 6; count += 1) {
      now = start + count * 1_000;
      expect(await init('no JSON')).toEqual(invalid);
    }
    now = start + 59_999;
    const refused = await post(sim, 'content/init/', token, initBody([photo]));
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await init(initBody([photo]), await connect(sim, 'studio.nord'))).toEqual(accepted);
    now = start + 60_000;
    expect((await init(initBody([photo])))[0]).toBe(200);
    expect((await init(initBody([photo])))[0]).toBe(429);
  });
});

describe('the order of the checks', () => {
  it('token, scope, limit, parameters, ban, user cap, audit, privacy, ownership, post cap; then accepted', async () => {
    const noScope = await connect(sim, 'maya.makes', 'user.info.basic');
    await control(sim, 'PUT', 'tiktok/client', { audited: false });
    await change({ initPerMinuteMax: 0, banned: true, postsPerDayMax: 0 });
    const privacyLevels = ['FOLLOWER_OF_CREATOR', 'SELF_ONLY'];
    for (let index = 1; index <= 5; index += 1) {
      await control(sim, 'PUT', `tiktok/accounts/quiet${index}`, { privacyLevels });
      expect(await init(initBody([photo]), await connect(sim, `quiet${index}`))).toEqual(accepted);
    }
    const bad = initBody(['https://not.verified/1.jpg'], {}, { privacy_level: 'FRIENDS', title: 1 });
    const seen: string[] = [];
    const next = async (body: unknown, given = token) => seen.push((await init(body, given))[1]);
    await next(bad, 'act.none');
    await next(bad, noScope);
    await next(bad);
    await change({ initPerMinuteMax: 1_000 });
    await next(bad);
    const level = { privacy_level: 'MUTUAL_FOLLOW_FRIENDS' };
    const foreign = initBody(['https://not.verified/1.jpg'], {}, level);
    await next(foreign);
    await change({ banned: false });
    await next(foreign);
    // For an audited client the caps and the rule of unaudited clients do not apply; unaudited again for one
    // of the five.
    await next(initBody([photo]), await connect(sim, 'quiet1').then(() => token));
    await control(sim, 'PUT', 'tiktok/client', { audited: true });
    await change({ privacyLevels: ['SELF_ONLY'] });
    await next(foreign);
    await change({ privacyLevels: ['MUTUAL_FOLLOW_FRIENDS'] });
    await next(foreign);
    await next(initBody([photo], {}, level));
    await change({ postsPerDayMax: 1 });
    await next(initBody([photo], {}, level));
    expect(seen).toEqual([
      'access_token_invalid',
      'scope_not_authorized',
      'rate_limit_exceeded',
      'invalid_param',
      'spam_risk_user_banned_from_posting',
      'reached_active_user_cap',
      'reached_active_user_cap',
      'privacy_level_option_mismatch',
      'url_ownership_unverified',
      'spam_risk_too_many_posts',
      'ok',
    ]);
    await control(sim, 'PUT', 'tiktok/client', { audited: false });
    const quiet = await connect(sim, 'quiet1');
    expect(await init(foreign, quiet)).toEqual([403, 'unaudited_client_can_only_post_to_private_accounts']);
  });
});
