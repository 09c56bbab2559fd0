/** The numbers of posts, as TikTok tells them to accounts that grant it. */
import { accountMeasured } from '@hookline/shared/events';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Json, startWorld } from './world.ts';

const scope = 'user.info.basic,video.upload,video.publish,video.list';
const options = {
  env: { TIKTOK_SCOPES: scope },
  simulators: { scopes: scope.split(',') },
  // Numbers are looked for at every second poll.
  timings: { pollMs: 100 },
};
const world = perSuite(() => startWorld(options));
const numbers = { views: 1200, likes: 96, comments: 7, shares: 12 };
const isPublic = { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' };

beforeEach(() => world.setFaults());

/** A post that was sent, of an account with these scopes. */
async function sent(change: Record<string, unknown> = isPublic, granted = scope) {
  const ready = await world.ready();
  const { caller, content, username } = ready;
  const account = await world.connect(caller, { username, granted });
  const created = await world.schedule(caller, {
    ...{ contentId: content.id, tiktokAccountId: account.id },
    ...change,
  });
  const { id } = created.body.data;
  const { sentAt } = await world.over(caller, id);
  const [share] = await world.posts(username);
  return { ...ready, account, id, share, sentAt };
}

const setNumbers = (postId: string, change: Json = numbers) =>
  world.control('PUT', `videos/tiktok/${postId}`, change);

const measuredOf = (accountId: string): Json[] =>
  world.service.published
    .filter(({ key, headers }) => key === accountId && headers.ce_type === accountMeasured.type)
    .map(({ value }) => JSON.parse(value));

async function readingOf(id: string): Promise<Json> {
  const [row] = await world.service.db.query(
    `select failures, misses, (extract(epoch from next_at - now()) / 60)::float8 as minutes
     from post_readings where schedule_id = $1`,
    [id],
  );
  return row ?? null;
}

const makeDue = (accountId: string) =>
  world.service.db.query('update post_readings set next_at = now() where platform_account_id = $1', [
    accountId,
  ]);

const callsSince = async (at: string): Promise<number> =>
  (await world.control('GET', 'requests?prefix=/tiktok/v2/video/query')).filter(
    (request: Json) => request.at >= at,
  ).length;

describe('the numbers of a post', () => {
  it('are read once its id is known, then on the plan, and published as TikTok tells them', async () => {
    const { content, account, id, share, sentAt } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).not.toEqual([]), 15_000);
    expect(measuredOf(account.id)[0].posts).toEqual([
      {
        ...{ contentId: content.id, sentAt, publishedAt: expect.any(String) },
        ...{ views: 0, likes: 0, comments: 0, shares: 0 },
      },
    ]);
    expect((await readingOf(id)).minutes).toBeGreaterThan(14);
    expect((await readingOf(id)).minutes).toBeLessThan(17);
    await setNumbers(share.postId);
    await makeDue(account.id);
    await eventually(async () => expect(measuredOf(account.id)[1]?.posts).toMatchObject([numbers]), 15_000);
    expect(accountMeasured.data.safeParse(measuredOf(account.id)[1]).success).toBe(true);
  });

  it('of a draft are read once its creator has posted it', async () => {
    const { account, id, share, sentAt } = await sent({});
    expect(await readingOf(id)).toBeNull();
    await setNumbers(share.postId);
    await world.control('POST', `tiktok/drafts/${share.publishId}/publish`);
    await eventually(
      async () => expect(measuredOf(account.id).at(-1)?.posts).toMatchObject([{ ...numbers, sentAt }]),
      15_000,
    );
  });

  it('of a draft are read although no webhook comes, since its id is asked for', async () => {
    const lonely = await startWorld({ ...options, withoutWebhooks: true });
    try {
      const { caller, content, username } = await lonely.ready();
      const account = await lonely.connect(caller, { username, granted: scope });
      const draft = { contentId: content.id, tiktokAccountId: account.id };
      const { id } = (await lonely.schedule(caller, draft)).body.data;
      await lonely.over(caller, id);
      const [share] = await lonely.posts(username);
      await lonely.control('PUT', `videos/tiktok/${share.postId}`, numbers);
      await lonely.control('POST', `tiktok/drafts/${share.publishId}/publish`);
      await eventually(async () => {
        const { body } = await lonely.call(caller, 'GET', `/v1/schedules/${id}`);
        expect(body.data).toMatchObject({ outcome: 'sent_to_drafts', platformPostId: share.postId });
        const told = lonely.service.published.filter(
          ({ headers }) => headers.ce_type === accountMeasured.type,
        );
        expect(told.map(({ value }) => JSON.parse(value).posts)).toMatchObject([[numbers]]);
      }, 30_000);
    } finally {
      await lonely.stop();
    }
  });

  it('are not asked for without video.list, and are once a new connection grants it', async () => {
    const { caller, account, id, share, username } = await sent(isPublic, scope.replace(',video.list', ''));
    await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${id}`);
      expect(body.data.platformPostId).toBe(share.postId);
    });
    expect(await readingOf(id)).toBeNull();
    await setNumbers(share.postId);
    await world.connect(caller, { username, granted: scope });
    await eventually(async () => expect(measuredOf(account.id)[0]?.posts).toMatchObject([numbers]), 15_000);
  });

  it('are read again once a creator that was disconnected is connected under another id', async () => {
    const { caller, account, share, username } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).toHaveLength(1), 15_000);
    expect((await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`)).status).toBe(200);
    await setNumbers(share.postId);
    const again = await world.connect(caller, { username, granted: scope });
    expect(again.id).not.toBe(account.id);
    await eventually(async () => expect(measuredOf(account.id)[1]?.posts).toMatchObject([numbers]), 15_000);
  });

  it('of a post that TikTok no longer shows stay as they are; it is asked for an hour later', async () => {
    const { account, id, share } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).toHaveLength(1), 15_000);
    await world.control('POST', `tiktok/posts/${share.publishId}/take-down`);
    await makeDue(account.id);
    await eventually(
      async () => expect(await readingOf(id)).toMatchObject({ misses: 1, failures: 0 }),
      15_000,
    );
    expect((await readingOf(id)).minutes).toBeGreaterThan(58);
    expect(measuredOf(account.id)).toHaveLength(1);
  });
});

/** Copies of a sent post that TikTok does not know, which are due. */
async function addPosts(id: string, count: number): Promise<void> {
  await world.service.db.query(
    `with copies as (
       select (jsonb_populate_record(s, jsonb_build_object('id', s.id || '_' || at,
         'platform_post_id', (7000000000000000000 + at)::text, 'content_id', s.content_id || '_' || at))).*
       from schedules s, generate_series(1, $2::integer) at where s.id = $1
     ), added as (insert into schedules select * from copies returning id, platform_account_id)
     insert into post_readings (schedule_id, platform_account_id, next_at)
     select id, platform_account_id, now() from added`,
    [id, count],
  );
}

const totals = async (accountId: string): Promise<Json> =>
  (
    await world.service.db.query(
      `select count(*)::int as posts, count(*) filter (where next_at <= now() + interval '5 minutes')::int as soon,
         sum(misses)::int as misses, max(failures)::int as failures
       from post_readings where platform_account_id = $1`,
      [accountId],
    )
  )[0];

describe('the calls for the posts of an account', () => {
  it('have up to 20 ids each', async () => {
    const { account, id } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).toHaveLength(1), 15_000);
    const since = new Date().toISOString();
    await addPosts(id, 45);
    await eventually(
      async () => expect(await totals(account.id)).toMatchObject({ soon: 0, misses: 45 }),
      20_000,
    );
    expect(await callsSince(since)).toBeLessThanOrEqual(4);
  });

  it.each([
    ['rate_limit_exceeded', 8, 11],
    ['connection_dropped', 8, 11],
    ['scope_not_authorized', 23 * 60, 25 * 60],
  ])('rest after %s, without a mark on any post', async (kind, from, to) => {
    const { account, id } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).toHaveLength(1), 15_000);
    await world.setFaults({ operation: 'video_query', kind });
    const since = new Date().toISOString();
    await addPosts(id, 45);
    await eventually(async () => expect(await totals(account.id)).toMatchObject({ soon: 0 }), 20_000);
    expect(await totals(account.id)).toMatchObject({ misses: 0, failures: 0 });
    expect(await callsSince(since)).toBeLessThanOrEqual(4);
    const { minutes } = await readingOf(`${id}_45`);
    expect(minutes).toBeGreaterThan(from);
    expect(minutes).toBeLessThan(to);
  });

  it('are made alone for a post that TikTok refuses, so that the others are read', async () => {
    const { account, id, share } = await sent();
    await eventually(async () => expect(measuredOf(account.id)).toHaveLength(1), 15_000);
    await addPosts(id, 1);
    await setNumbers('7000000000000000001', { refused: true });
    await setNumbers(share.postId);
    for (let failures = 1; failures <= 3; failures += 1) {
      await eventually(async () => {
        await makeDue(account.id);
        expect(await readingOf(`${id}_1`)).toMatchObject({ failures: expect.toSatisfy(n => n >= failures) });
      }, 15_000);
    }
    await eventually(async () => {
      await makeDue(account.id);
      expect(measuredOf(account.id).at(-1).posts).toMatchObject([numbers]);
    }, 20_000);
  });
});
