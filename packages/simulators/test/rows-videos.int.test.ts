/** video/query, row by row: whose posts it tells, its fields and its errors. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeEach, describe, expect, it } from 'vitest';
import { allScopes, connect, control, initBody, mediaServer, post, send, startSim } from './helpers.ts';

const scope = `${allScopes},video.list`;
const media = perSuite(mediaServer);
const sim = perSuite(() => startSim({ scopes: scope.split(','), moderationDelayMs: 0 }));
const fields = 'id,create_time,view_count,like_count,comment_count,share_count';
let token: string;

beforeEach(async () => {
  await control(sim, 'POST', 'reset');
  token = await connect(sim, 'maya.makes', scope);
});

const query = (ids: unknown, { by = token, names = fields } = {}) =>
  send(
    'POST',
    `${sim.url}/tiktok/v2/video/query/?fields=${names}`,
    { filters: { video_ids: ids } },
    {
      authorization: `Bearer ${by}`,
    },
  );

/** @returns the id of a post that is out */
async function publish(privacyLevel = 'PUBLIC_TO_EVERYONE'): Promise<string> {
  const body = initBody([`${media.url}/1080x1350-a.jpg`], {}, { privacy_level: privacyLevel });
  expect((await post(sim, 'content/init/', token, body)).status).toBe(200);
  return await eventually(async () => {
    const [first] = (await control(sim, 'GET', 'posts?account=maya.makes')).body;
    expect(first.status).toBe('PUBLISH_COMPLETE');
    return first.postId;
  });
}

describe('video/query', () => {
  it("tells the numbers of the creator's own public posts, the id as a string", async () => {
    const id = await publish();
    await control(sim, 'PUT', `videos/tiktok/${id}`, { views: 1200, likes: 96, comments: 7, shares: 12 });
    await eventually(async () =>
      expect((await query([id, '7543210987654321098'])).body.data).toEqual({
        videos: [
          {
            id,
            create_time: expect.any(Number),
            ...{ view_count: 1200, like_count: 96, comment_count: 7, share_count: 12 },
          },
        ],
      }),
    );
    const other = await connect(sim, 'studio.nord', scope);
    expect((await query([id], { by: other })).body.data).toEqual({ videos: [] });
  });

  it('leaves out what is private, and what was removed', async () => {
    const id = await publish('SELF_ONLY');
    expect((await query([id])).body.data).toEqual({ videos: [] });
    await control(sim, 'POST', 'reset');
    token = await connect(sim, 'maya.makes', scope);
    const removed = await publish();
    await control(sim, 'PUT', `videos/tiktok/${removed}`, { removed: true });
    expect((await query([removed])).body.data).toEqual({ videos: [] });
  });

  it('401 scope_not_authorized without video.list', async () => {
    const answer = await query(['1'], { by: await connect(sim) });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'scope_not_authorized']);
  });

  it.each([
    ['no ids', [], fields],
    ['21 ids', Array.from({ length: 21 }, (_, at) => String(at)), fields],
    ['a number as an id', [7], fields],
    ['an unknown field', ['7'], 'id,saves'],
    ['no fields', ['7'], ''],
  ])('400 invalid_params for %s', async (_, ids, names) => {
    const answer = await query(ids, { names });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_params']);
  });
});
