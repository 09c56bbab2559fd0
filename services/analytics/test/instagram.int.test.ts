import type { Caller } from '@hookline/shared/http';
import { dayMs, hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimInstagram } from '../src/collecting/queries.ts';
import { freshId, type Json, measured, session, startWorld } from './world.ts';

const world = perSuite(startWorld);

beforeEach(async () => {
  await world.service.db.query('delete from api_limits');
  await world.service.db.query(`update collections set next_at = 'infinity'`);
  await world.setFaults();
});

const setFault = (operation: string, kind: string, more: object = {}) =>
  world.setFaults({ platform: 'instagram', operation, kind, ...more });

let lastUser = 0;
function newUser(): string {
  lastUser += 1;
  return `user.${lastUser}`;
}

type Posted = { caller: Caller; username: string; id: string };

/** Registers a post of a connected account; it is not collected yet when this resolves. */
async function posted(video: Json = {}, caller = session(), username = newUser()): Promise<Posted> {
  await world.connect(caller, username);
  return await postOf(caller, username, video);
}

/** The same for an account that is already connected. */
async function postOf(caller: Caller, username: string, video: Json = {}): Promise<Posted> {
  const id = freshId('instagram');
  await put(id, username, video);
  await world.register(caller, { videoId: id, platform: 'instagram', platformPostId: id });
  return { caller, username, id };
}

const put = (id: string, owner: string, video: Json = {}) =>
  world.put('instagram', id, {
    views: 50,
    likes: 5,
    comments: 1,
    publishedAt: world.now().toISOString(),
    owner,
    ...video,
  });

const numbersOf = ({ caller, id }: Posted, numbers: Json) => measured(world, caller, id, numbers);
const operationsFor = async (id: string): Promise<string[]> =>
  (await world.callsFor(id)).map(call => call.operation);
const statusOf = async (caller: Caller): Promise<string> =>
  (await world.call(caller, 'GET', '/v1/analytics/sources')).body.data[0].status;

describe('sources take turns', () => {
  it('one post of an account is read before the many that another has due for longer', async () => {
    const { db } = world.service;
    const many: Posted[] = [await posted()];
    const [first] = many as [Posted];
    for (let index = 0; index < 7; index += 1) many.push(await postOf(first.caller, first.username));
    const single = await posted();
    await db.query(`update collections set next_at = 'infinity'`);
    // Not committed, so that the running collectors do not see it.
    const claimed = await db.transaction(async tx => {
      const { accountId } = first.caller;
      const due = new Date(world.now().getTime() - 1_000);
      await tx.query(`update metric_sources set look_at = '-infinity'`);
      // The busy account's source was created first, and its posts have been due longest.
      await tx.query(
        `update collections set lease_until = null,
           next_at = case account_id when $1 then $3::timestamptz - interval '1 hour' else $3 end
         where account_id in ($1, $2)`,
        [accountId, single.caller.accountId, due],
      );
      const claims: (string | undefined)[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        claims.push((await claimInstagram(tx, world.now(), 60_000))?.accountId);
      }
      return claims;
    });
    expect(claimed).toContain(single.caller.accountId);
    expect(claimed.filter(accountId => accountId === first.caller.accountId)).toHaveLength(2);
  });
});

describe('a source whose account has nothing due', () => {
  it('is not polled for a minute or until its next post is due, and at once when one is registered', async () => {
    const [caller, username] = [session(), newUser()];
    await world.connect(caller, username);
    const restsUntil = () =>
      eventually(async () => {
        const [row] = await world.service.db.query<{ ms: number }>(
          'select extract(epoch from look_at)::float8 * 1000 as ms from metric_sources where account_id = $1',
          [caller.accountId],
        );
        expect(row?.ms).toBeGreaterThan(world.now().getTime());
        return row?.ms ?? 0;
      }, 10_000);
    expect(await restsUntil()).toBeLessThanOrEqual(world.now().getTime() + minuteMs);
    const post = await postOf(caller, username);
    await numbersOf(post, { views: 50, likes: 5, comments: 1 });
    expect(await restsUntil()).toBeLessThanOrEqual(world.now().getTime() + minuteMs);
  });
});

describe('the numbers of Instagram posts', () => {
  it('are the views insight and the media’s own likes and comments', async () => {
    const post = await posted();
    const publishedAt = world.now().toISOString();
    await numbersOf(post, { views: 50, likes: 5, comments: 1, publishedAt });
    expect(await operationsFor(post.id)).toEqual(['media', 'insights']);
    const { byPlatform } = await world.summary(post.caller);
    expect(byPlatform.instagram).toEqual({ views: 50, likes: 5, comments: 1, posts: 1 });
  });

  it('a missing view count is null, not 0, and the other numbers are kept', async () => {
    const post = await posted({ views: null });
    await numbersOf(post, { views: null, likes: 5, comments: 1 });
  });

  it('likes missing from the media are read from its insights', async () => {
    await setFault('media', 'slow', { delayMs: 0 });
    const post = await posted({ refusedNames: ['like_count'], likes: 7 });
    await numbersOf(post, { views: 50, likes: 7, comments: 1 });
  });

  it('a refused metric takes nothing else with it: views null, the rest as it is', async () => {
    const post = await posted({ refusedNames: ['views', 'comments_count'], comments: 4 });
    await numbersOf(post, { views: null, likes: 5, comments: 4 });
  });

  it('media from before the account was a business account: no insights, and never asked for again', async () => {
    await setFault('insights', 'before_conversion');
    const post = await posted();
    await numbersOf(post, { views: null, likes: 5, comments: 1 });
    await world.setFaults();
    await put(post.id, post.username, { likes: 6 });
    world.advance(hourMs);
    await numbersOf(post, { likes: 6 });
    expect(await operationsFor(post.id)).toEqual(['media', 'insights', 'media']);
  });

  it('too few viewers: no views yet', async () => {
    await setFault('insights', 'not_enough_viewers', { times: 1 });
    const post = await posted();
    await numbersOf(post, { views: null, likes: 5 });
    world.advance(hourMs);
    await numbersOf(post, { views: 50 });
  });

  it('of an account with several sources are read with the one that may, and no other afterwards', async () => {
    const caller = session();
    await world.connect(caller, newUser());
    const post = await posted({}, caller);
    await numbersOf(post, { views: 50 });
    await put(post.id, post.username, { views: 60 });
    world.advance(hourMs);
    const before = (await world.callsFor(post.id)).length;
    await numbersOf(post, { views: 60 });
    expect((await operationsFor(post.id)).slice(before)).toEqual(['media', 'insights']);
  });
});

describe('posts and sources that fail', () => {
  it('a deleted post keeps its numbers and is read again', async () => {
    const post = await posted();
    await numbersOf(post, { views: 50 });
    await put(post.id, post.username, { removed: true });
    world.advance(hourMs);
    await eventually(async () =>
      expect(await operationsFor(post.id)).toEqual(['media', 'insights', 'media']),
    );
    expect((await world.summary(post.caller)).totals).toMatchObject({ views: 50, posts: 1 });
    await put(post.id, post.username, { views: 70 });
    world.advance(7 * hourMs);
    await numbersOf(post, { views: 70 });
  });

  it('a source that lost the permission for insights needs a new token, and does not lose its views', async () => {
    const post = await posted();
    await numbersOf(post, { views: 50 });
    await world.control('PUT', `instagram/accounts/${post.username}`, { hasInsights: false });
    world.advance(hourMs);
    await eventually(async () => expect(await statusOf(post.caller)).toBe('needs_reauth'));
    await numbersOf(post, { views: 50 });
    await world.control('PUT', `instagram/accounts/${post.username}`, { hasInsights: true });
    await put(post.id, post.username, { views: 60 });
    await world.connect(post.caller, post.username);
    await numbersOf(post, { views: 60 });
  });

  it.each(['token_expired', 'token_revoked'])(
    '%s: the source needs a new token, and continues with it',
    async kind => {
      const post = await posted();
      await numbersOf(post, { views: 50 });
      await setFault('media', kind);
      await put(post.id, post.username, { views: 80 });
      world.advance(hourMs);
      await eventually(async () => expect(await statusOf(post.caller)).toBe('needs_reauth'));
      await world.setFaults();
      expect((await world.summary(post.caller)).totals.views).toBe(50);
      await world.connect(post.caller, post.username);
      expect(await statusOf(post.caller)).toBe('connected');
      await numbersOf(post, { views: 80 });
    },
  );

  it.each(['transient', 'garbage'])(
    '%s: the post is retried later, the others are not delayed',
    async kind => {
      await setFault('insights', kind, { times: 1 });
      const post = await posted();
      await eventually(async () => expect(await failuresOf(post.id)).toBe(1));
      world.advance(1_000);
      const other = await posted();
      await numbersOf(other, { views: 50 });
      expect((await world.video(post.caller, post.id)).posts[0].views).toBeNull();
      world.advance(90_000);
      await numbersOf(post, { views: 50 });
    },
  );
});

describe('limits of Instagram', () => {
  it('a source rests when most of its limit is used, long before a refusal; others continue', async () => {
    const username = newUser();
    await world.control('PUT', `instagram/accounts/${username}`, { callsPerDayMax: 10 });
    const caller = session();
    const { id } = await world.connect(caller, username);
    const posts: Posted[] = [];
    for (let count = 0; count < 6; count += 1) posts.push(await postOf(caller, username));
    const collectedCount = async (): Promise<number> =>
      (await Promise.all(posts.map(post => world.video(caller, post.id)))).filter(
        video => video.posts[0].views !== null,
      ).length;
    await eventually(async () => expect(await restsUntil(id)).not.toBeNull());
    const other = await posted();
    await numbersOf(other, { views: 50 });
    const before = await collectedCount();
    expect(before).toBeLessThan(6);
    world.advance(dayMs);
    await eventually(async () => expect(await collectedCount()).toBe(6), 10_000);
  });

  it('refused with 80002, a source rests as long as the platform says', async () => {
    const username = newUser();
    const caller = session();
    const { id } = await world.connect(caller, username);
    await world.control('PUT', `instagram/accounts/${username}`, { callsPerDayMax: 0 });
    const post = await postOf(caller, username);
    const until = await eventually(async () => {
      const at = await restsUntil(id);
      if (!at) throw new Error('it does not rest');
      return at;
    });
    expect(until.getTime() - world.now().getTime()).toBeGreaterThan(23 * hourMs);
    expect(await operationsFor(post.id)).toEqual(['media']);
    await world.control('PUT', `instagram/accounts/${username}`, { callsPerDayMax: 1_000 });
    world.advance(dayMs);
    await numbersOf(post, { views: 50 });
  });

  it('while the source of a post rests, the others are not asked for it again and again', async () => {
    const caller = session();
    const owner = newUser();
    await world.connect(caller, newUser());
    await world.connect(caller, owner);
    await world.control('PUT', `instagram/accounts/${owner}`, { callsPerDayMax: 0 });
    const post = await postOf(caller, owner);
    await eventually(async () => expect(await failuresOf(post.id)).toBe(1));
    expect((await operationsFor(post.id)).length).toBeLessThanOrEqual(3);
    await world.control('PUT', `instagram/accounts/${owner}`, { callsPerDayMax: 1_000 });
    world.advance(dayMs);
    await numbersOf(post, { views: 50 });
  });

  it('code 4 rests the whole app', async () => {
    const users = [newUser(), newUser()] as const;
    const callers = [session(), session()] as const;
    for (const at of [0, 1] as const) await world.connect(callers[at], users[at]);
    await setFault('media', 'app_rate_limited');
    const [first, second] = [await postOf(callers[0], users[0]), await postOf(callers[1], users[1])];
    await eventually(async () => expect(await restsUntil('instagram')).not.toBeNull());
    await world.setFaults();
    world.advance(15 * minuteMs);
    await numbersOf(first, { views: 50 });
    await numbersOf(second, { views: 50 });
  });
});

async function failuresOf(platformPostId: string): Promise<number> {
  const [row] = await world.service.db.query<{ failures: number }>(
    `select failures from collections c join published_posts p on p.id = c.post_id where platform_post_id = $1`,
    [platformPostId],
  );
  return row?.failures ?? -1;
}

/** @param credential a source's id, or `instagram` for the whole app. */
async function restsUntil(credential: string): Promise<Date | null> {
  const [row] = await world.service.db.query<{ at: Date | null }>(
    'select max(paused_until) as at from api_limits where paused_until > $1 and credential = $2',
    [world.now(), credential],
  );
  return row?.at ?? null;
}
