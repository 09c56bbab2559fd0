/** A second carrier proves the rest of the port (consent, rules, numbers) and is as strict as its platform. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { laneOf } from './lanes.ts';
import { type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);
const lane = () => laneOf(world, 'Instagram');

async function order(slides = 3) {
  const { caller, content, account, username } = await lane().ready(slides);
  const body = { contentId: content.id, tiktokAccountId: account.id, ...lane().order };
  return { caller, content, account, username, body };
}

describe('an account of a second carrier', () => {
  it('a consent gives an account like any other, which names no carrier', async () => {
    const { caller, account, username } = await order();
    const privacyLevels = ['PUBLIC_TO_EVERYONE'];
    expect(account).toMatchObject({ username, kind: 'api', canPublish: true, privacyLevels });
    expect((await world.call(caller, 'GET', '/v1/accounts')).text).not.toMatch(/carrier|instagram/i);
  });

  it('a consent without the right to post connects nothing', async () => {
    const granted = 'instagram_business_basic';
    const connecting = world.connect(testCaller(), { username: 'shy', granted, carrier: 'instagram' });
    await expect(connecting).rejects.toThrow(/Posting was not allowed at Instagram/);
  });

  it('its posts are in the order of the slides, and their numbers are read', async () => {
    const { caller, username, content, body } = await order();
    const { id } = (await world.schedule(caller, body)).body.data;
    expect(await world.over(caller, id)).toMatchObject({ status: 'sent', outcome: 'published' });
    const [post] = world.instagram.account(username).posts;
    expect(post?.images.map(url => url.split('/').at(-1))).toEqual(['1', '2', '3']);
    expect(post?.caption).toContain('Small enough to do tired.');
    await eventually(() => {
      const told = world.service.published.filter(m => m.headers.ce_type === 'account.measured');
      const posts = told.flatMap(m => JSON.parse(String(m.value)).posts as Json[]);
      expect(posts).toContainEqual(expect.objectContaining({ contentId: content.id, views: 100, likes: 99 }));
    }, 20_000);
  }, 40_000);

  it('its decks are checked by its own limits', async () => {
    const long = await order(11);
    const { error } = (await world.schedule(long.caller, long.body)).body;
    expect(error).toMatchObject({ code: 'too_many_slides', message: expect.stringContaining('can hold 10') });
    const webp = await order();
    world.content.images.set(webp.content.images[0]!.imageId, Buffer.from('RIFF0000WEBPVP8 '));
    expect((await world.schedule(webp.caller, webp.body)).body.error.code).toBe('unsupported_image_format');
  });

  it('a platform that takes no post today is heard before anything is scheduled', async () => {
    const { caller, username, body } = await order();
    world.instagram.account(username).postsPerDayMax = 0;
    const answer = await world.schedule(caller, body);
    expect(answer.body.error).toMatchObject({ code: 'tiktok_create_failed', message: 'no post is left' });
  });
});

describe('the simulated Instagram', () => {
  let token = '';
  const graph = async (method: string, path: string, fields: Record<string, string> = {}): Promise<Json> => {
    const query = new URLSearchParams({ ...fields, access_token: token });
    const url = `${world.instagram.url}/v25.0/${path}`;
    const answer = await (method === 'GET' ? fetch(`${url}?${query}`) : fetch(url, { method, body: query }));
    return await answer.json();
  };
  const slide = () => {
    // It is never downloaded: the address needs a key.
    return `${world.content.url}/slide`;
  };
  const subcodeOf = ({ error }: Json): number => error.error_subcode;

  beforeAll(() => {
    token = world.instagram.tokenOf('strict');
  });

  it('a container is published when it is ready, never an item, never another account’s', async () => {
    const { id: item } = await graph('POST', 'me/media', { image_url: slide(), is_carousel_item: 'true' });
    const early = await graph('POST', 'me/media', { media_type: 'CAROUSEL', children: `${item},${item}` });
    expect(subcodeOf(early)).toBe(2207028);
    expect(subcodeOf(await graph('POST', 'me/media_publish', { creation_id: item }))).toBe(2207008);
    const { id } = await graph('POST', 'me/media', { image_url: slide() });
    expect(subcodeOf(await graph('POST', 'me/media_publish', { creation_id: id }))).toBe(2207027);
    const own = token;
    token = world.instagram.tokenOf('other');
    expect(subcodeOf(await graph('GET', id))).toBe(33);
    expect(subcodeOf(await graph('POST', 'me/media_publish', { creation_id: id }))).toBe(2207008);
    token = own;
  });

  it('a slide that is not there makes an ERROR', async () => {
    const { id } = await graph('POST', 'me/media', { image_url: `${world.content.url}/nothing` });
    await eventually(async () =>
      expect(await graph('GET', id)).toEqual({ id, status_code: 'ERROR', status: '2207052' }),
    );
  });
});
