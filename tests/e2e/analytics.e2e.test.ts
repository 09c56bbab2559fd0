/** YouTube and Instagram numbers through `npm start`: registered by a person, read with a key. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, signUp } from '../lab/kit/clients/api.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';

const product = perSuite(startStandalone);
let client: Client;

beforeAll(async () => {
  client = await signUp(product.baseUrl);
});

type Video = { posts: { views: number | null; collectedAt: string | null }[]; totals: { views: number } };
type Totals = { views: number; likes: number; comments: number; posts: number };

async function put(platform: string, id: string, numbers: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${product.simulatorsUrl}/_control/videos/${platform}/${id}`, {
    method: 'PUT',
    headers: controlHeaders,
    body: JSON.stringify({ publishedAt: new Date().toISOString(), ...numbers }),
  });
  expect(answer.status).toBe(200);
}

async function register(post: Record<string, unknown>): Promise<void> {
  const answer = await client.api('POST', '/analytics/posts', { token: client.session, body: post });
  expect(answer.status, answer.text).toBe(201);
}

function collected(videoId: string, views: number): Promise<Video> {
  return eventually(async () => {
    const { data } = await client.api<Video>('GET', `/analytics/content/${videoId}`, { token: client.key });
    expect(data.totals.views).toBe(views);
    return data;
  }, 20_000);
}

describe('numbers through npm start', () => {
  it('are there seconds after a YouTube post was registered', async () => {
    await put('youtube', 'e2eVideo001', { views: 4_321, likes: 210, comments: 33 });
    await register({ videoId: 'launch', platform: 'youtube', platformPostId: 'e2eVideo001' });
    const video = await collected('launch', 4_321);
    expect(video.posts[0]?.collectedAt).toMatch(/Z$/);
  });

  it('of Instagram need a source, and come once it is connected', async () => {
    const id = '17900000000000777';
    await put('instagram', id, { views: 900, likes: 80, comments: 7, owner: 'studio_nord' });
    const post = { videoId: 'reel', platform: 'instagram', platformPostId: id };
    const refused = await client.api('POST', '/analytics/posts', { token: client.session, body: post });
    expect([refused.status, refused.error?.code]).toEqual([400, 'invalid_request']);
    const source = await client.api<{ username: string; status: string }>('POST', '/analytics/sources', {
      token: client.session,
      body: { platform: 'instagram', accessToken: 'simulator-token-studio_nord' },
    });
    expect(source.status, source.text).toBe(201);
    expect(source.data).toMatchObject({ username: 'studio_nord', status: 'connected' });
    await register(post);
    await collected('reel', 900);
  });

  it('add up in the summary, and for this account alone', async () => {
    const summary = await client.api<{ totals: Totals; byPlatform: Record<string, Totals>; note: string }>(
      'GET',
      '/analytics/summary?windowDays=1',
      { token: client.key },
    );
    expect(summary.data.totals).toEqual({ views: 5_221, likes: 290, comments: 40, posts: 2 });
    expect(summary.data.byPlatform.instagram).toEqual({ views: 900, likes: 80, comments: 7, posts: 1 });
    expect(summary.data.note).toContain('TikTok');
    const stranger = await signUp(product.baseUrl);
    const foreign = await stranger.api<{ totals: Totals }>('GET', '/analytics/summary', {
      token: stranger.key,
    });
    expect(foreign.data.totals).toEqual({ views: 0, likes: 0, comments: 0, posts: 0 });
    const video = await stranger.api('GET', '/analytics/content/launch', { token: stranger.key });
    expect([video.status, video.error?.code]).toEqual([404, 'not_found']);
  });

  it('have sources that a key cannot see: they are for sessions', async () => {
    const refused = await client.api('GET', '/analytics/sources', { token: client.key });
    expect([refused.status, refused.error?.code]).toEqual([401, 'unauthorized']);
    const sources = await client.api<unknown[]>('GET', '/analytics/sources', { token: client.session });
    expect(sources.data).toHaveLength(1);
  });
});
