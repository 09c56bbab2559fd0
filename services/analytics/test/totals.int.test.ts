import type { Caller } from '@hookline/shared/http';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { disagreements, freshId, type Json, session, startAt, startWorld } from './world.ts';

const postsCount = 200;
const seed = 20_261_121;

const world = perSuite(startWorld);

beforeAll(async () => {
  await world.startAnother();
});

/** Deterministic random numbers. */
function randomOf(start: number): (below: number) => number {
  let state = start;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Numbers = { views: number | null; likes: number | null; comments: number | null };
type Post = {
  caller: Caller;
  platform: 'youtube' | 'instagram';
  id: string;
  publishedAt: string;
  numbers: Numbers;
};

const random = randomOf(seed);
const names = ['views', 'likes', 'comments'] as const;
const newNumbers = (): Numbers => ({
  views: random(50) === 0 ? null : random(1_000_000),
  likes: random(5) === 0 ? null : random(50_000),
  comments: random(5) === 0 ? null : random(5_000),
});
const put = (post: Post, more: Json = {}) =>
  world.put(post.platform, post.id, { ...post.numbers, publishedAt: post.publishedAt, ...more });

/** The expected summary, computed from the numbers set at the platforms. */
function expected(posts: readonly Post[], caller: Caller, windowDays: number): Json {
  const midnight = Math.floor(world.now().getTime() / dayMs) * dayMs;
  const from = midnight - (windowDays - 1) * dayMs;
  const sum = (platform: string | null): Json => {
    const chosen = posts.filter(
      post =>
        post.caller === caller &&
        Date.parse(post.publishedAt) >= from &&
        (platform === null || post.platform === platform),
    );
    const sums = names.map(name => [name, chosen.reduce((all, post) => all + (post.numbers[name] ?? 0), 0)]);
    return { ...Object.fromEntries(sums), posts: chosen.length };
  };
  return { totals: sum(null), byPlatform: { instagram: sum('instagram'), youtube: sum('youtube') } };
}

async function expectTotals(posts: readonly Post[], callers: readonly Caller[]): Promise<void> {
  for (const caller of callers) {
    for (const windowDays of [365, 1, 7, 30, 90]) {
      await eventually(async () => {
        const { totals, byPlatform } = await world.summary(caller, windowDays);
        expect({ totals, byPlatform }).toEqual(expected(posts, caller, windowDays));
      }, 60_000);
    }
  }
}

/** Number of reads of each post, according to the platform's own log. */
async function timesAsked(posts: readonly Post[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const call of (await world.control('GET', 'metric-calls')) as Json[]) {
    if (call.operation === 'insights') continue;
    for (const id of call.ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return posts.map(post => counts.get(post.id) ?? 0);
}

describe(`${postsCount} random posts of three accounts, collected by two replicas (seed ${seed})`, () => {
  it('give the totals that the platforms report, and no post is read twice in an interval', async () => {
    const callers = [session(), session(), session()];
    for (const [at, caller] of callers.entries()) await world.connect(caller, `owner.${at}`);
    const posts: Post[] = Array.from({ length: postsCount }, () => {
      const platform = random(3) === 0 ? 'instagram' : 'youtube';
      return {
        caller: callers[random(3)] as Caller,
        platform,
        id: freshId(platform),
        publishedAt: new Date(Date.parse(startAt) - random(400 * 24 * 60) * 60_000).toISOString(),
        numbers: newNumbers(),
      };
    });
    const owners = new Map(callers.map((caller, at) => [caller, `owner.${at}`]));
    for (const post of posts) await put(post, { owner: owners.get(post.caller) });
    // Half of them are registered without a time, which the platform then reports.
    for (let from = 0; from < posts.length; from += 20) {
      await Promise.all(
        posts.slice(from, from + 20).map(({ caller, platform, id, publishedAt }, index) =>
          world.register(caller, {
            videoId: `video-${id}`,
            platform,
            platformPostId: id,
            ...(index % 2 === 0 ? { publishedAt } : {}),
          }),
        ),
      );
    }
    await expectTotals(posts, callers);
    expect(await disagreements(world)).toEqual([]);
    expect(new Set(await timesAsked(posts))).toEqual(new Set([1]));

    // Everything is due again. Some posts are gone and count with their last numbers.
    for (const post of posts) {
      if (random(20) === 0) await put(post, { owner: owners.get(post.caller), removed: true });
      else await put(Object.assign(post, { numbers: newNumbers() }), { owner: owners.get(post.caller) });
    }
    world.advance(33 * dayMs);
    await expectTotals(posts, callers);
    expect(await disagreements(world)).toEqual([]);
    await eventually(async () => expect(new Set(await timesAsked(posts))).toEqual(new Set([2])), 30_000);

    // Less than any remaining interval: no post is read again.
    world.advance(hourMs / 2);
    const marker = freshId();
    await world.put('youtube', marker, { views: 1 });
    await world.register(callers[0] as Caller, { videoId: 'marker', platformPostId: marker });
    await eventually(async () => expect(await world.callsFor(marker)).toHaveLength(1));
    expect(new Set(await timesAsked(posts))).toEqual(new Set([2]));
  }, 240_000);
});
