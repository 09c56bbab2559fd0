import { setTimeout } from 'node:timers/promises';
import {
  accountMeasured,
  contentApproved,
  contentRejected,
  type EventDefinition,
  experimentStarted,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { minuteMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { enterResults } from '../src/decks/enter.ts';
import { freshId, session, startAt, startWorld } from './world.ts';

const world = perSuite(startWorld);
const entered = { views: 1200, likes: 96, comments: 7, shares: 12, saves: 41 };

async function publish<T>(
  definition: EventDefinition,
  accountId: string,
  data: T,
  envelope: { subject?: string; time?: string } = {},
): Promise<void> {
  const id = newId('event');
  await world.service.publish(definition, { subject: 'content_1', accountId, data, id, ...envelope });
  const seen = `select from inbox where consumer = 'analytics.decks' and event_id = $1`;
  await eventually(async () => expect(await world.service.db.query(seen, [id])).toHaveLength(1));
}

async function approve(accountId: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { content, ...rest } = contentApproved.example;
  const id = newId('content');
  await publish(contentApproved, accountId, { ...rest, content: { ...content, id, ...changes } });
  return id;
}

const rowOf = async (id: string) =>
  (await world.service.db.query('select * from decks where content_id = $1', [id]))[0];

describe('the numbers of a deck', () => {
  it('are null until somebody enters them, and name their time and who did', async () => {
    const caller = testCaller({ scopes: ['content:read', 'content:write'] });
    const path = `/v1/content/${await approve(caller.accountId)}/results`;
    expect((await world.call(caller, 'GET', path)).body).toEqual({ data: null });
    const answer = await world.call(caller, 'POST', path, entered);
    const kept = { ...entered, at: startAt, source: 'entered', by: { kind: 'key', id: caller.keyId } };
    expect([answer.status, answer.body.data]).toMatchObject([201, kept]);
    expect((await world.call(caller, 'GET', path)).body.data).toEqual(answer.body.data);
  });

  it('of a later reading replace all, those of an earlier one change nothing', async () => {
    const caller = session();
    const path = `/v1/content/${await approve(caller.accountId)}/results`;
    const enter = async (views: number, at: string) =>
      (await world.call(caller, 'POST', path, { views, at })).body.data;
    await world.call(caller, 'POST', path, { ...entered, at: '2026-11-20T09:00:00Z' });
    const newer = await enter(1300, '2026-11-20T12:00:00+01:00');
    expect(newer).toMatchObject({ views: 1300, likes: null, at: '2026-11-20T11:00:00.000Z' });
    expect(await enter(900, '2026-11-20T10:00:00Z')).toEqual(newer);
  });

  it.each([[{ views: 1, at: '2026-11-21T13:00:00Z' }, 'at']])(
    '400 invalid_request for %j, which names %s',
    async (body, field) => {
      const caller = session();
      const id = await approve(caller.accountId);
      const answer = await world.call(caller, 'POST', `/v1/content/${id}/results`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(field);
    },
  );

  it('404 not_found for a deck of another workspace and for one that was never approved', async () => {
    const [owner, stranger] = [session(), session()];
    const ids = [await approve(owner.accountId), newId('content'), newId('content')];
    const [owned, named] = ids as [string, string];
    const decks = [{ contentId: named, version: 1, hook: 'Named before its approval' }];
    await publish(experimentStarted, stranger.accountId, { ...experimentStarted.example, decks });
    for (const path of ids.map(id => `/v1/content/${id}/results`)) {
      for (const answer of [
        await world.call(stranger, 'GET', path),
        await world.call(stranger, 'POST', path, entered),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
    }
    expect((await world.call(owner, 'GET', `/v1/content/${owned}/results`)).body).toEqual({ data: null });
  });

  it('404 not_found where the approval is heard of while they are entered', async () => {
    const caller = session();
    const contentId = newId('content');
    const { content, ...rest } = contentRejected.example;
    await publish(contentRejected, caller.accountId, { ...rest, content: { ...content, id: contentId } });
    const entering = world.service.db.transaction(async tx => {
      const query: typeof tx.query = async (text, values) => {
        const rows = await tx.query<never>(text, values);
        const heard = 'update decks set approved_at = now() where content_id = $1';
        if (text.startsWith('update decks')) await world.service.db.query(heard, [contentId]);
        return rows;
      };
      await enterResults({ ...tx, query }, caller, { contentId, entered: { views: 1 }, now: new Date() });
    });
    await expect(entering).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('the summary has the decks of the window by their views, and says when numbers of each are compared', async () => {
  const caller = session();
  const enter = async (id: string, views: number, at: string, also = {}) =>
    expect(
      (await world.call(caller, 'POST', `/v1/content/${id}/results`, { views, at, ...also })).status,
    ).toBe(201);
  const { approval, result } = contentApproved.example.content;
  const approved = (decidedAt: string, hook: string) =>
    approve(caller.accountId, { approval: { ...approval, decidedAt }, result: { ...result, hook } });
  const [settled, early, old] = [
    await approved('2026-11-18T09:00:00.000Z', 'Settled'),
    await approved('2026-11-21T09:00:00.000Z', 'Early'),
    await approved('2026-09-01T09:00:00.000Z', 'Old'),
  ];
  await enter(settled, 100, '2026-11-20T09:00:00Z', { likes: 9, saves: 0 });
  await enter(early, 300, '2026-11-21T10:00:00Z', { likes: 30, comments: 2 });
  await enter(old, 9_000, '2026-11-20T09:00:00Z');
  await approved('2026-11-20T09:00:00.000Z', 'Without numbers');
  const { decks } = await world.summary(caller, 30);
  expect(decks).toEqual({
    posts: 2,
    ...{ views: 400, likes: 39, comments: 2, shares: null, saves: 0 },
    days: [
      { day: '2026-11-18', posts: 1, views: 100 },
      { day: '2026-11-21', posts: 1, views: 300 },
    ],
    best: [
      {
        ...{ contentId: early, hook: 'Early', views: 300 },
        ...{ likes: 30, comments: 2, shares: null, saves: null },
        ...{ postedAt: '2026-11-21T09:00:00.000Z', comparedFrom: '2026-11-22T09:00:00.000Z' },
      },
      {
        ...{ contentId: settled, hook: 'Settled', views: 100 },
        ...{ likes: 9, comments: null, shares: null, saves: 0 },
        ...{ postedAt: '2026-11-18T09:00:00.000Z', comparedFrom: null },
      },
    ],
  });
  expect((await world.summary(session(), 30)).decks).toEqual({
    posts: 0,
    ...{ views: 0, likes: null, comments: null, shares: null, saves: null },
    days: [],
    best: [],
  });
});

describe('the numbers that TikTok tells', () => {
  const [sentAt, at] = ['2026-11-20T09:00:00.000Z', '2026-11-21T10:00:00.000Z'];
  const { schedule, firingId } = schedulePublished.example;
  const told = { views: 2400, likes: 190, comments: null, shares: 30 };
  const caller = session();

  async function sent(tiktokAccountId = 'account_1'): Promise<string> {
    const id = await approve(caller.accountId);
    const post = { ...schedule, contentId: id, sentAt, tiktokAccountId };
    await publish(schedulePublished, caller.accountId, { firingId, schedule: post });
    return id;
  }
  const tell = (contentId: string, change: object = {}, time = at, subject = 'account_1') =>
    publish(
      accountMeasured,
      caller.accountId,
      { posts: [{ contentId, sentAt, publishedAt: null, ...told, ...change }] },
      { subject, time },
    );
  const resultsOf = async (id: string) =>
    (await world.call(caller, 'GET', `/v1/content/${id}/results`)).body.data;

  it('are of TikTok, at their time, without saves; the later of theirs and the entered ones count', async () => {
    const id = await sent();
    await tell(id);
    const kept = { ...told, saves: null, at, source: 'tiktok', by: null };
    expect(await resultsOf(id)).toEqual(kept);
    await world.call(caller, 'POST', `/v1/content/${id}/results`, { ...entered, at: sentAt });
    expect(await resultsOf(id)).toEqual(kept);
    await world.call(caller, 'POST', `/v1/content/${id}/results`, entered);
    expect(await resultsOf(id)).toMatchObject({ ...entered, source: 'entered' });
    await tell(id);
    expect(await resultsOf(id)).toMatchObject({ source: 'entered' });
  });

  it('of several decks do not wait for entered ones that wait for them', async () => {
    const { db } = world.service;
    const [first, second, third] = [await sent(), await sent('account_2'), await sent('account_3')];
    async function hold(id: string): Promise<() => Promise<void>> {
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const over = db.transaction(async tx => {
        await tx.query('select from decks where content_id = $1 for update', [id]);
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      return async () => {
        released.resolve();
        await over;
      };
    }
    const [releaseFirst, releaseThird] = [await hold(first), await hold(third)];
    const answer = world.call(caller, 'POST', `/v1/content/${third}/results`, entered);
    const all: Promise<void>[] = [];
    for (const [i, id] of [first, second, third].entries()) {
      all.push(tell(id, {}, at, `account_${i + 1}`));
      await setTimeout(300);
    }
    await releaseFirst();
    await setTimeout(300);
    await releaseThird();
    expect((await answer).status).toBe(201);
    await Promise.all(all);
    const counted = 'select deadlocks from pg_stat_database where datname = current_database()';
    expect(await db.query(counted)).toEqual([{ deadlocks: 0 }]);
  });

  it('of a post that was not the first one of the deck change nothing', async () => {
    const id = await sent();
    await tell(id, { sentAt: '2026-11-20T10:00:00.000Z' });
    await tell(id, {}, at, 'account_2');
    expect(await resultsOf(id)).toBeNull();
  });

  it('count from the time at which a draft was published', async () => {
    const id = await sent();
    const publishedAt = '2026-11-20T20:00:00.000Z';
    await tell(id, { publishedAt });
    const row = { counted_at: new Date(publishedAt), is_settled: false };
    expect(await rowOf(id)).toMatchObject(row);
    await tell(id, { publishedAt }, '2026-11-21T20:00:00.000Z');
    expect(await rowOf(id)).toMatchObject({ ...row, is_settled: true });
  });
});

describe('a deck', () => {
  it('is the newest version that was approved, in whatever order the approvals come', async () => {
    const { accountId } = session();
    const { result } = contentApproved.example.content;
    const id = await approve(accountId, { version: 2, result: { ...result, hook: 'the second' } });
    await approve(accountId, { id, version: 1, result: { ...result, hook: 'the first' } });
    expect(await rowOf(id)).toMatchObject({
      ...{ version: 2, hook: 'the second', archetype: 'listicle', language: 'en' },
      template_id: 'quote-card',
    });
  });

  it('is the version that was posted, whichever of post and approvals is heard of first', async () => {
    const { accountId } = session();
    const { schedule, firingId } = schedulePublished.example;
    const { result, approval } = contentApproved.example.content;
    const id = newId('content');
    const approveVersion = (version: number) => {
      const decidedAt = `2026-11-20T0${version}:00:00.000Z`;
      const own = { approval: { ...approval, decidedAt }, result: { ...result, hook: `hook ${version}` } };
      return approve(accountId, { id, version, ...own });
    };
    const postVersion = (contentVersion: number, sentAt: string) =>
      publish(schedulePublished, accountId, {
        firingId,
        schedule: { ...schedule, contentId: id, contentVersion, sentAt },
      });
    await approveVersion(1);
    await approveVersion(2);
    // TikTok says late that a post came of a call whose outcome was unknown when the deck was edited.
    await postVersion(1, '2026-11-20T05:00:00.000Z');
    expect(await rowOf(id)).toMatchObject({ version: 1, hook: 'hook 1' });
    await approveVersion(3);
    await publish(contentRejected, accountId, {
      ...contentApproved.example,
      content: { ...contentApproved.example.content, id, version: 4 },
    });
    expect(await rowOf(id)).toMatchObject({ version: 1, hook: 'hook 1' });
    await postVersion(4, '2026-11-20T04:00:00.000Z');
    expect(await rowOf(id)).toMatchObject({ version: 4, hook: null });
    await approveVersion(4);
    expect(await rowOf(id)).toMatchObject({ version: 4, hook: 'hook 4' });
  });

  it('keeps its first post, also where that is heard of before the approval', async () => {
    const { accountId } = session();
    const { schedule, firingId } = schedulePublished.example;
    const id = newId('content');
    const send = (definition: EventDefinition, sentAt: string, tiktokAccountId: string) =>
      publish(definition, accountId, {
        firingId,
        schedule: { ...schedule, contentId: id, sentAt, tiktokAccountId },
      });
    await send(schedulePublished, '2026-11-20T10:00:00.000Z', 'account_second');
    await send(scheduleSentToDrafts, '2026-11-20T09:00:00.000Z', 'account_first');
    await send(schedulePublished, '2026-11-20T11:00:00.000Z', 'account_third');
    await approve(accountId, { id });
    expect(await rowOf(id)).toMatchObject({
      ...{ tiktok_account_id: 'account_first', posted_at: new Date('2026-11-20T09:00:00.000Z') },
      hook: contentApproved.example.content.result?.hook,
    });
  });
});

describe('a post of a deck on another platform', () => {
  const add = (caller: Caller, id: string, url: string) =>
    world.call(caller, 'POST', `/v1/content/${id}/posts`, { url });
  const addressOf = (mediaId: string) => `https://www.instagram.com/p/C${BigInt(mediaId).toString(36)}/`;

  it("is named by its address, and its numbers are under the deck's id", async () => {
    const caller = session();
    const id = await approve(caller.accountId);
    const [video, media] = [freshId(), freshId('instagram')];
    await world.put('youtube', video, { views: 700, likes: 30, comments: 2 });
    await world.put('instagram', media, { views: 90, likes: 8, comments: 1, owner: 'deck.posts' });
    await world.connect(caller, 'deck.posts');
    const first = await add(caller, id, `https://www.youtube.com/shorts/${video}?feature=share`);
    const named = { videoId: id, platform: 'youtube', platformPostId: video };
    expect([first.status, first.body.data]).toMatchObject([201, named]);
    const second = await add(caller, id, addressOf(media));
    expect(second.body.data).toMatchObject({ platform: 'instagram', platformPostId: media });
    await eventually(async () => {
      const { totals } = await world.video(caller, id);
      expect(totals).toEqual({ views: 790, likes: 38, comments: 3 });
    }, 15_000);
    const again = await add(caller, id, `https://youtu.be/${video}`);
    expect([again.status, again.body.error.message]).toEqual([
      400,
      expect.stringContaining('url is registered already'),
    ]);
  });

  it('of Instagram is found on a later page, and not at all where another account has it', async () => {
    const caller = session();
    const id = await approve(caller.accountId);
    const oldest = freshId('instagram');
    const put = (media: string, at: number, owner = 'many.posts') =>
      world.put('instagram', media, { views: 1, owner, publishedAt: new Date(at).toISOString() });
    await put(oldest, 0);
    for (let at = 1; at <= 120; at += 1) await put(freshId('instagram'), at);
    const foreign = freshId('instagram');
    await put(foreign, 1, 'somebody.else');
    await world.connect(caller, 'many.posts');
    expect((await add(caller, id, addressOf(oldest))).body.data.platformPostId).toBe(oldest);
    const answer = await add(caller, id, addressOf(foreign));
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('url')]);
    await world.setFaults({ platform: 'instagram', operation: 'media', kind: 'connection_dropped' });
    expect((await add(caller, id, addressOf(foreign))).status).toBe(503);
    await world.setFaults();
  });

  it('of Instagram is looked for only while the caller waits, however many accounts do not answer', async () => {
    const caller = session();
    const id = await approve(caller.accountId);
    for (const owner of ['one', 'two', 'three', 'four']) {
      await world.put('instagram', freshId('instagram'), { views: 1, owner: `slow.${owner}` });
      await world.connect(caller, `slow.${owner}`);
    }
    await world.setFaults({ platform: 'instagram', operation: 'media', kind: 'slow', delayMs: 30_000 });
    const begun = performance.now();
    const answer = await add(caller, id, addressOf(freshId('instagram')));
    expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
    // Two seconds for each account would be eight.
    expect(performance.now() - begun).toBeLessThan(6_000);
    await world.setFaults();
  });

  it('of Instagram is looked for within the limit that all workspaces share', async () => {
    const caller = session();
    const id = await approve(caller.accountId);
    const media = freshId('instagram');
    await world.put('instagram', media, { views: 1, owner: 'limited.posts' });
    await world.connect(caller, 'limited.posts');
    await world.setFaults({ platform: 'instagram', operation: 'media', kind: 'app_rate_limited' });
    expect((await add(caller, id, addressOf(media))).status).toBe(503);
    await world.setFaults();
    // Nobody is asked while the app rests.
    expect((await add(caller, id, addressOf(media))).status).toBe(503);
    world.advance(15 * minuteMs);
    expect((await add(caller, id, addressOf(media))).status).toBe(201);
  });

  it('of Instagram is not looked for again with a token that was revoked', async () => {
    const caller = session();
    const id = await approve(caller.accountId);
    await world.connect(caller, 'revoked.posts');
    await world.setFaults({ platform: 'instagram', operation: 'media', kind: 'token_revoked' });
    const answer = await add(caller, id, addressOf(freshId('instagram')));
    await world.setFaults();
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('url')]);
    const sources = await world.call(caller, 'GET', '/v1/analytics/sources');
    expect(sources.body.data).toMatchObject([{ status: 'needs_reauth' }]);
  });

  it.each(['https://www.tiktok.com/@maya/photo/1', 'https://www.instagram.com/p/C1/', 'x'])(
    '400 invalid_request for %s without an Instagram account',
    async url => {
      const caller = session();
      const answer = await add(caller, await approve(caller.accountId), url);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(
        url.includes('tiktok') ? 'POST /content/{id}/results' : 'url',
      );
    },
  );
});
