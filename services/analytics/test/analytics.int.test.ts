import type { Caller } from '@hookline/shared/caller';
import { startTestService, type TestService, testCaller } from '@hookline/shared/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analytics } from '../src/service.ts';

let now = new Date('2026-11-21T12:00:00.000Z');
let service: TestService;

beforeAll(async () => {
  service = await startTestService(analytics, { now: () => now });
});
afterAll(() => service.stop());

const zeros = { views: 0, likes: 0, comments: 0, posts: 0 };

function session(): Caller {
  return testCaller({ keyId: null, userId: 'user_1' });
}

async function register(caller: Caller, body: object): Promise<Record<string, string>> {
  const answer = await service.call('POST', '/v1/analytics/posts', { caller, body });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { data: Record<string, string> }).data;
}

async function read<T>(caller: Caller, path: string): Promise<T> {
  const answer = await service.call('GET', path, { caller });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { data: T }).data;
}

function collect(postId: string | undefined, day: string, counts: (number | null)[]): Promise<unknown> {
  return service.db.query(
    `insert into metric_snapshots (post_id, day, views, likes, comments, collected_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [postId, day, ...counts, `${day}T10:00:00Z`],
  );
}

type Summary = { totals: typeof zeros; byPlatform: Record<string, typeof zeros>; windowDays: number };

describe('GET /v1/analytics/summary', () => {
  it('200 with zeros, 30 days and the note before anything was collected', async () => {
    const summary = await read(testCaller(), '/v1/analytics/summary');
    expect(summary).toEqual({
      windowDays: 30,
      totals: zeros,
      byPlatform: { instagram: zeros, youtube: zeros },
      note: expect.stringMatching(/TikTok.*not yet included/),
    });
  });

  it('200 sums the newest snapshot of the posts in the window, and of no other account', async () => {
    const [caller, stranger] = [session(), session()];
    const recent = await register(caller, {
      videoId: 'v',
      platform: 'youtube',
      platformPostId: 'inside',
      publishedAt: '2026-11-20T00:00:00Z',
    });
    const old = await register(caller, {
      videoId: 'v',
      platform: 'youtube',
      platformPostId: 'outside',
      publishedAt: '2026-11-19T23:59:59.999Z',
    });
    const foreign = await register(stranger, { videoId: 'v', platform: 'youtube', platformPostId: 'inside' });
    await collect(recent.id, '2026-11-20', [10, 1, 1]);
    await collect(recent.id, '2026-11-21', [25, 2, null]);
    await collect(old.id, '2026-11-21', [1_000, 100, 100]);
    await collect(foreign.id, '2026-11-21', [7, 7, 7]);
    const summary = await read<Summary>(caller, '/v1/analytics/summary?windowDays=2');
    expect(summary.windowDays).toBe(2);
    expect(summary.totals).toEqual({ views: 25, likes: 2, comments: 0, posts: 1 });
    expect(summary.byPlatform).toEqual({ instagram: zeros, youtube: summary.totals });
    const wider = await read<Summary>(caller, '/v1/analytics/summary?windowDays=3');
    expect(wider.totals).toEqual({ views: 1_025, likes: 102, comments: 100, posts: 2 });
  });

  it.each(['1', '365'])('200 with windowDays=%s', async windowDays => {
    const summary = await read<Summary>(testCaller(), `/v1/analytics/summary?windowDays=${windowDays}`);
    expect(summary.windowDays).toBe(Number(windowDays));
  });

  it.each(['0', '366', '-1', '1.5', 'ten', ''])(
    '400 invalid_request with windowDays=%s',
    async windowDays => {
      const path = `/v1/analytics/summary?windowDays=${windowDays}`;
      const answer = await service.call('GET', path, { caller: testCaller() });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: { code: 'invalid_request', message: 'windowDays must be an integer from 1 to 365' },
      });
    },
  );

  it('400 names an unknown parameter and the nearest known one', async () => {
    const answer = await service.call('GET', '/v1/analytics/summary?windowDay=3', { caller: testCaller() });
    expect(answer.body).toMatchObject({
      error: { message: 'windowDay is not a known field; did you mean windowDays?' },
    });
  });
});

describe('POST /v1/analytics/posts', () => {
  const body = { videoId: 'video-1', platform: 'youtube', platformPostId: 'dQw4w9WgXcQ' };

  it('201 answers the record', async () => {
    const post = await register(session(), { ...body, publishedAt: '2026-11-20T10:00:00+02:00' });
    expect(post).toEqual({
      id: expect.stringMatching(/^post_/),
      ...body,
      publishedAt: '2026-11-20T08:00:00.000Z',
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
  });

  it('201 with publishedAt null when it is not told', async () => {
    expect(await register(session(), body)).toMatchObject({ publishedAt: null });
  });

  it('400 for the same post again, also side by side; another account may have it', async () => {
    const caller = session();
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.call('POST', '/v1/analytics/posts', { caller, body })),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 400, 400]);
    const refused = answers.find(answer => answer.status === 400);
    expect(refused?.body).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(/^platformPostId /) },
    });
    await register(session(), body);
  });

  it('400 for an Instagram post, saying that it needs a source', async () => {
    const answer = await service.call('POST', '/v1/analytics/posts', {
      caller: session(),
      body: { ...body, platform: 'instagram' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('source') },
    });
  });

  it.each([
    ['publishedAt must not be in the future', { publishedAt: '2026-11-21T12:02:00Z' }],
    ['platform must be one of instagram, youtube', { platform: 'tiktok' }],
    ['videoId must be a text of 1 to 64 characters that is not blank', { videoId: '  ' }],
  ])('400 %s', async (message, change) => {
    const answer = await service.call('POST', '/v1/analytics/posts', {
      caller: session(),
      body: { ...body, ...change },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 'invalid_request', message } });
  });
});

describe('GET /v1/analytics/content/{videoId}', () => {
  it('404 not_found for a video that nobody registered', async () => {
    const answer = await service.call('GET', '/v1/analytics/content/unknown', { caller: testCaller() });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ error: { code: 'not_found' } });
  });

  it("404 for another account's video, word for word as for an unknown one", async () => {
    await register(session(), { videoId: 'theirs', platform: 'youtube', platformPostId: 'theirs' });
    const [foreign, unknown] = await Promise.all(
      ['theirs', 'nobodys'].map(id =>
        service.call('GET', `/v1/analytics/content/${id}`, { caller: testCaller() }),
      ),
    );
    expect(foreign?.status).toBe(404);
    const message = 'No such video.';
    expect(foreign?.body).toMatchObject({ error: { code: 'not_found', message } });
    expect(unknown?.body).toMatchObject({ error: { code: 'not_found', message } });
  });

  it('200 with nulls, zeros and no history before anything was collected', async () => {
    const caller = session();
    await register(caller, { videoId: 'fresh', platform: 'youtube', platformPostId: 'fresh' });
    expect(await read(caller, '/v1/analytics/content/fresh')).toEqual({
      videoId: 'fresh',
      posts: [
        {
          platform: 'youtube',
          platformPostId: 'fresh',
          views: null,
          likes: null,
          comments: null,
          publishedAt: null,
          collectedAt: null,
        },
      ],
      totals: { views: 0, likes: 0, comments: 0 },
      history: [],
    });
  });

  it('200 with the newest numbers of each post, their sum, and a line per day', async () => {
    const caller = session();
    const first = await register(caller, { videoId: 'seen', platform: 'youtube', platformPostId: 'a' });
    now = new Date(now.getTime() + 1);
    const second = await register(caller, { videoId: 'seen', platform: 'youtube', platformPostId: 'b' });
    await collect(first.id, '2026-11-19', [10, 1, 0]);
    await collect(second.id, '2026-11-20', [5, null, 0]);
    await collect(first.id, '2026-11-21', [30, 3, 2]);
    const data = await read<Record<string, unknown>>(caller, '/v1/analytics/content/seen');
    expect(data.posts).toMatchObject([
      { platformPostId: 'a', views: 30, collectedAt: '2026-11-21T10:00:00.000Z' },
      { platformPostId: 'b', views: 5, likes: null },
    ]);
    expect(data.totals).toEqual({ views: 35, likes: 3, comments: 2 });
    expect(data.history).toEqual([
      { day: '2026-11-19', views: 10, likes: 1, comments: 0 },
      { day: '2026-11-20', views: 15, likes: 1, comments: 0 },
      { day: '2026-11-21', views: 35, likes: 3, comments: 2 },
    ]);
  });
});

describe('/v1/analytics/sources', () => {
  it.each([
    ['POST', '/v1/analytics/sources'],
    ['GET', '/v1/analytics/sources'],
    ['DELETE', '/v1/analytics/sources/source_1'],
  ])('501 not_implemented for %s %s', async (method, path) => {
    const answer = await service.call(method, path, { caller: session() });
    expect(answer.status).toBe(501);
    expect(answer.body).toMatchObject({ error: { code: 'not_implemented' } });
  });
});
