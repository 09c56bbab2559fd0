import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { freshId, measured, session, startAt, startWorld, type World } from './world.ts';

const world = perSuite(startWorld);

const zeros = { views: 0, likes: 0, comments: 0, posts: 0 };

/** A collected YouTube post with the given numbers, in a separate video. */
async function collected(caller = session(), publishedAt: string | undefined, counts: (number | null)[]) {
  const platformPostId = freshId();
  const [views, likes, comments] = counts;
  await world.put('youtube', platformPostId, { views, likes, comments });
  await world.register(caller, { videoId: platformPostId, platformPostId, publishedAt });
  await measured(world, caller, platformPostId, { views, likes, comments });
  return platformPostId;
}

describe('GET /v1/analytics/summary', () => {
  it('200 with zeros, 30 days and the note before anything was registered', async () => {
    const answer = await world.call(testCaller(), 'GET', '/v1/analytics/summary');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        windowDays: 30,
        decks: {
          posts: 0,
          views: 0,
          likes: null,
          comments: null,
          shares: null,
          saves: null,
          days: [],
          best: [],
        },
        totals: zeros,
        byPlatform: { instagram: zeros, youtube: zeros },
        note: expect.stringMatching(/TikTok.*not yet included/),
      },
    });
  });

  it('200 counts a registered post before anything was collected', async () => {
    const caller = session();
    await world.setFaults({
      platform: 'youtube',
      operation: 'batch_get_stats',
      kind: 'slow',
      delayMs: 3_000,
    });
    await world.register(caller, { platformPostId: freshId() });
    expect((await world.summary(caller)).totals).toEqual({ ...zeros, posts: 1 });
    await world.setFaults();
  });

  it('200 sums the newest numbers of the posts published in the window, and of no other account', async () => {
    const [caller, stranger] = [session(), session()];
    const midnight = '2026-11-20T00:00:00Z';
    const inside = await collected(caller, midnight, [25, 2, null]);
    await collected(caller, '2026-11-19T23:59:59.999Z', [1_000, 100, 100]);
    await world.register(stranger, { platformPostId: inside, publishedAt: midnight });
    const summary = await world.summary(caller, 2);
    expect(summary.windowDays).toBe(2);
    expect(summary.totals).toEqual({ views: 25, likes: 2, comments: 0, posts: 1 });
    expect(summary.byPlatform).toEqual({ instagram: zeros, youtube: summary.totals });
    const wider = await world.summary(caller, 3);
    expect(wider.totals).toEqual({ views: 1_025, likes: 102, comments: 100, posts: 2 });
    await measured(world, stranger, 'v', { views: 25 });
    expect((await world.summary(stranger, 2)).totals).toEqual({ views: 25, likes: 2, comments: 0, posts: 1 });
  });
});

describe('POST /v1/analytics/posts', () => {
  const body = { videoId: 'video-1', platform: 'youtube', platformPostId: 'dQw4w9WgXcQ' };
  const post = (caller = session(), change: object = {}) =>
    world.call(caller, 'POST', '/v1/analytics/posts', { ...body, ...change });

  it('201 answers the record', async () => {
    const answer = await post(session(), { publishedAt: '2026-11-20T10:00:00+02:00' });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^post_/),
      ...body,
      publishedAt: '2026-11-20T08:00:00.000Z',
      createdAt: startAt,
      updatedAt: startAt,
    });
  });

  it('400 for the same post again, also side by side; another account may have it', async () => {
    const caller = session();
    const answers = await Promise.all([1, 2, 3].map(() => post(caller)));
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 400, 400]);
    const refused = answers.find(answer => answer.status === 400);
    expect(refused?.body.error.message).toMatch(/^platformPostId is registered already/);
    expect((await world.summary(caller)).totals.posts).toBe(1);
    expect((await post()).status).toBe(201);
  });

  it('400 for an Instagram post of an account without a source, saying that it needs one', async () => {
    const answer = await post(session(), { platform: 'instagram', platformPostId: '17900000000000001' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(answer.body.error.message).toContain('POST /analytics/sources');
  });

  it('400 for the posts of a video after the 100th, however many come at once', async () => {
    const caller = session();
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => post(caller, { platformPostId: freshId() })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const answer = await post(caller, { platformPostId: freshId() });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'videoId has 100 posts already, which is the most',
    ]);
  });

  it.each([
    ['publishedAt must not be in the future', { publishedAt: '2026-11-21T12:02:00Z' }],
    ['platformPostId must be an id of youtube: letters, digits, _ and -', { platformPostId: 'a,b' }],
    [
      'platformPostId must be an id of instagram: the digits of the media id',
      { platform: 'instagram', platformPostId: '../me' },
    ],
  ])('400 %s', async (message, change) => {
    const answer = await post(session(), change);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', message });
  });
});

describe('GET /v1/analytics/content/{videoId}', () => {
  it('404 not_found for an unregistered video', async () => {
    const answer = await world.call(testCaller(), 'GET', '/v1/analytics/content/unknown');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  it('200 with nulls, zeros and no history for a video that the platform does not know', async () => {
    const caller = session();
    const platformPostId = freshId();
    await world.register(caller, { videoId: 'fresh', platformPostId });
    expect(await world.video(caller, 'fresh')).toEqual({
      videoId: 'fresh',
      posts: [
        {
          platform: 'youtube',
          platformPostId,
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
});

describe('the numbers of a video over days', () => {
  it('are answered even if a platform reports absurd numbers', async () => {
    const caller = session();
    const views = Number.MAX_SAFE_INTEGER;
    await collected(caller, startAt, [views, 1, 0]);
    await collected(caller, startAt, [views, 1, 0]);
    const { totals } = await world.summary(caller);
    expect(totals).toEqual({ views, likes: 2, comments: 0, posts: 2 });
  });

  it('are of one instant: a collection in the middle of the answer shows in all of it or in nothing', async () => {
    const caller = session();
    const platformPostId = await collected(caller, startAt, [10, 1, 0]);
    const { db } = world.service;
    let answer: ReturnType<World['video']> | undefined;
    await db.transaction(async tx => {
      // Delays the answer between the numbers of the posts and their days.
      await tx.query('lock table post_days in access exclusive mode');
      answer = world.video(caller, platformPostId);
      await eventually(async () => {
        const waits = await db.query(
          `select 1 from pg_locks where relation = 'post_days'::regclass and not granted`,
        );
        expect(waits).toHaveLength(1);
      });
      await tx.query(
        `update collections set views = 99 from published_posts p where p.id = post_id and p.video_id = $1`,
        [platformPostId],
      );
      await tx.query(
        `update post_days set views = 99 from published_posts p where p.id = post_id and p.video_id = $1`,
        [platformPostId],
      );
    });
    const { totals, history } = await answer;
    expect(history).toEqual([{ day: '2026-11-21', ...totals }]);
  });

  it('are its newest ones, their sum, and a line per day on which one was collected', async () => {
    const caller = session();
    const [first, second] = [freshId(), freshId()];
    await world.put('youtube', first, { views: 10, likes: 1, comments: 0 });
    await world.register(caller, { videoId: 'seen', platformPostId: first, publishedAt: startAt });
    await measured(world, caller, 'seen', { views: 10 });
    await world.put('youtube', first, { views: 30, likes: 3, comments: 2 });
    const publishedAt = '2026-11-23T09:00:00.000Z';
    await world.put('youtube', second, { views: 5, likes: null, comments: 0, publishedAt });
    world.advance(2 * dayMs);
    await world.register(caller, { videoId: 'seen', platformPostId: second });
    const video = await eventually(async () => {
      const shown = await world.video(caller, 'seen');
      expect(shown.totals.views).toBe(35);
      return shown;
    });
    expect(video.posts).toMatchObject([
      { platformPostId: first, views: 30, collectedAt: '2026-11-23T12:00:00.000Z' },
      { platformPostId: second, views: 5, likes: null },
    ]);
    expect(video.totals).toEqual({ views: 35, likes: 3, comments: 2 });
    expect(video.history).toEqual([
      { day: '2026-11-21', views: 10, likes: 1, comments: 0 },
      { day: '2026-11-23', views: 35, likes: 3, comments: 2 },
    ]);
    const get = async (path: string, as = caller) =>
      (await world.call(as, 'GET', `/v1/analytics/${path}`)).body;
    const series = await get('series?from=2026-11-20');
    expect(series.data).toEqual([
      { day: '2026-11-20', views: 0, likes: 0, comments: 0, posts: 0 },
      { day: '2026-11-21', views: 10, likes: 1, comments: 0, posts: 1 },
      { day: '2026-11-22', views: 10, likes: 1, comments: 0, posts: 1 },
      { day: '2026-11-23', views: 35, likes: 3, comments: 2, posts: 2 },
    ]);
    expect((await get('series?from=2026-11-22T23:00:00Z&to=2026-11-22')).data).toEqual([series.data[2]]);
    expect((await get('series')).data).toHaveLength(30);
    const none = await get('series?from=2026-11-23&platform=instagram');
    expect(none.data).toEqual([{ day: '2026-11-23', views: 0, likes: 0, comments: 0, posts: 0 }]);
    expect((await get('series?from=2026-11-23', session())).data).toEqual(none.data);
    expect((await get('series?from=2026-02-30')).error.message).toMatch(/^from must be a day/);
    const all = await get('posts');
    expect(all.data).toMatchObject([
      { platformPostId: second, views: 5, likes: null },
      { platformPostId: first, videoId: 'seen', views: 30, collectedAt: '2026-11-23T12:00:00.000Z' },
    ]);
    const page = await get('posts?limit=1&platform=youtube&videoId=seen');
    const rest = await get(`posts?limit=1&platform=youtube&videoId=seen&cursor=${page.nextCursor}`);
    expect([...page.data, ...rest.data, rest.nextCursor]).toEqual([...all.data, null]);
    expect((await get('posts?platform=instagram')).data).toEqual([]);
    expect((await get('posts', session())).data).toEqual([]);
  });
});
