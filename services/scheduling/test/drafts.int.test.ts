/** The later history of a draft or a post, and the reason of a failure, are reported correctly. */
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { type Json, startWorld } from './world.ts';

const world = perSuite(startWorld);

async function sent(change: Record<string, unknown> = {}) {
  const ready = await world.ready();
  const created = await world.schedule(ready.caller, {
    contentId: ready.content.id,
    tiktokAccountId: ready.account.id,
    ...change,
  });
  const { id } = created.body.data;
  await world.over(ready.caller, id);
  const read = async (): Promise<Json> =>
    (await world.call(ready.caller, 'GET', `/v1/schedules/${id}`)).body.data;
  return { ...ready, id, read };
}

const whats = (schedule: Json): string[] => schedule.timeline.map((row: Json) => row.what);
const publicUrls = (schedule: Json): string[] =>
  schedule.timeline.filter((row: Json) => row.what === 'public').map((row: Json) => row.detail);
const told = (id: string) =>
  world.service.published.filter(message => message.key === id).map(message => message.headers.ce_type);

describe('a draft', () => {
  it('a draft stays sent_to_drafts whatever its creator does with it, and its timeline says what', async () => {
    const { read, username, id } = await sent();
    expect(await read()).toMatchObject({ outcome: 'sent_to_drafts', platformPostId: null });
    const [share] = await world.posts(username);
    await world.control('POST', `tiktok/drafts/${share.publishId}/publish`);
    const first = await eventually(async () => {
      const schedule = await read();
      // TikTok's webhooks arrive in any order.
      expect(whats(schedule).slice(-2).sort()).toEqual(['posted_by_creator', 'public']);
      return schedule;
    });
    expect(first).toMatchObject({ status: 'sent', outcome: 'sent_to_drafts', platformPostId: share.postId });
    expect(first.platformPostId).toMatch(/^\d{19}$/);
    await world.control('POST', `tiktok/drafts/${share.publishId}/publish`);
    const second = await eventually(async () => {
      const schedule = await read();
      expect(publicUrls(schedule)).toHaveLength(2);
      return schedule;
    });
    // The first post is in the record, the second one in the timeline.
    expect(second.platformPostId).toBe(share.postId);
    const [{ morePostIds }] = await world.posts(username);
    expect(publicUrls(second)[1]).toContain(morePostIds[0]);
    await world.control('POST', `tiktok/posts/${share.publishId}/take-down`);
    await eventually(async () => expect(whats(await read())).toContain('no_longer_public'));
    expect(told(id)).toEqual(['schedule.created', 'schedule.sent_to_drafts']);
  });
});

describe('a direct post', () => {
  it('a direct post is published, then public with an exact id, then reported as gone', async () => {
    const { read, username } = await sent({ mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' });
    const [share] = await world.posts(username);
    const shown = await eventually(async () => {
      const schedule = await read();
      expect(schedule.platformPostId).toBe(share.postId);
      return schedule;
    });
    expect(shown.platformPostUrl).toMatch(new RegExp(`/@${username}/photo/${share.postId}$`));
    expect(whats(shown)).not.toContain('posted_by_creator');
    await world.control('POST', `tiktok/posts/${share.publishId}/take-down`);
    const gone = await eventually(async () => {
      const schedule = await read();
      expect(whats(schedule).at(-1)).toBe('no_longer_public');
      return schedule;
    });
    expect(gone).toMatchObject({ status: 'sent', outcome: 'published' });
  });
});

describe('a slide whose file is gone when the platform asks for it', () => {
  it('a missing file ends the schedule as slide_missing, naming the slide, without another try', async () => {
    await world.setFaults({ operation: 'pull', kind: 'late_pull', times: 1, delayMs: 400 });
    const { caller, content, account, username } = await world.ready();
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    world.content.images.delete(content.images[1]!.imageId);
    const done = await world.over(caller, created.body.data.id);
    expect(done.failure).toMatchObject({
      code: 'slide_missing',
      category: 'content',
      retryable: false,
      message: expect.stringContaining('slide 2'),
    });
    expect(await world.posts(username)).toEqual([]);
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
  });
});

describe('an account that is deleted while its post waits for another try', () => {
  it('deleting an account ends a post that waits for another try, whatever connects later', async () => {
    const { caller, content, account } = await world.ready();
    await world.setFaults({ operation: 'content_init', kind: 'rate_limit_exceeded', times: 1 });
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    const { id } = created.body.data;
    await world.call(caller, 'DELETE', `/v1/accounts/${account.id}`);
    await world.service.db.query(`update creators set next_init_at = null`);
    await world.service.db.query(`update schedules set due_at = now() where id = $1 and due_at is not null`, [
      id,
    ]);
    const done = await world.over(caller, id);
    expect(done.failure).toMatchObject({
      code: 'account_not_connected',
      category: 'account',
      retryable: false,
    });
    const retried = await world.call(caller, 'POST', `/v1/schedules/${id}/retry`);
    expect(retried.body.error.code).toBe('not_postable');
  });
});
