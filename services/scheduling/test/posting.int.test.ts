import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { startWorld } from './world.ts';

const world = perSuite(startWorld);

describe('POST /v1/schedules, then the platform', () => {
  it('a draft arrives exactly once, with schedule.created and schedule.sent_to_drafts', async () => {
    const { caller, content, account, username } = await world.ready();
    const soon = new Date(Date.now() + 300).toISOString();
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: soon,
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      status: 'pending',
      mode: 'draft',
      privacyLevel: null,
      title: '5 habits small enough for a bad day',
      description: 'Small enough to do tired.\n\n#habits #tiny',
      aiGenerated: true,
      scheduledFor: soon,
      outcome: null,
      failure: null,
    });
    const done = await world.over(caller, created.body.data.id);
    expect(done).toMatchObject({ status: 'sent', outcome: 'sent_to_drafts', failure: null });
    expect(new Date(done.sentAt).getTime()).toBeGreaterThanOrEqual(new Date(soon).getTime());
    expect(done.timeline.map((entry: { what: string }) => entry.what)).toEqual(
      expect.arrayContaining(['created', 'sending', 'attempt_started', 'sent']),
    );
    const posts = await world.posts(username);
    expect(posts).toHaveLength(1);
    expect(posts[0].imageDigests).toHaveLength(3);
    const types = await eventually(() => {
      const seen = world.service.published
        .filter(message => message.key === created.body.data.id)
        .map(message => message.headers.ce_type);
      expect(seen).toHaveLength(2);
      return seen;
    });
    expect(types).toEqual(['schedule.created', 'schedule.sent_to_drafts']);
  });

  it('a post without scheduledFor is published at once, with its id and address', async () => {
    const { caller, content, account, username } = await world.ready();
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      mode: 'publish',
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      brandOrganic: true,
    });
    expect(created.status).toBe(201);
    const done = await world.over(caller, created.body.data.id);
    expect(done).toMatchObject({ status: 'sent', outcome: 'published' });
    const withId = await eventually(async () => {
      const { body } = await world.call(caller, 'GET', `/v1/schedules/${done.id}`);
      expect(body.data.platformPostId).toMatch(/^\d{19}$/);
      return body.data;
    });
    const posts = await world.posts(username);
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      postId: withId.platformPostId,
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      brandOrganic: true,
      isAigc: true,
    });
    const page = await fetch(withId.platformPostUrl);
    expect(await page.text()).toContain('5 habits small enough');
  });

  it('a post of a workspace that waits for its deletion fails; a retry after the restore sends it', async () => {
    const { caller, content, account, username } = await world.ready();
    const setStanding = (standing: string, revision: number) =>
      world.service.db.query(
        `insert into workspace_standings values ($1, $2, $3, now())
         on conflict (account_id) do update set standing = excluded.standing, revision = excluded.revision`,
        [caller.accountId, standing, revision],
      );
    await setStanding('frozen', 1);
    const created = await world.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 300).toISOString(),
    });
    const { id } = created.body.data;
    const failed = await world.over(caller, id, 30_000);
    expect(failed).toMatchObject({
      status: 'failed',
      failure: { code: 'workspace_frozen', retryable: true },
    });
    expect(await world.posts(username)).toEqual([]);
    await setStanding('open', 2);
    expect((await world.call(caller, 'POST', `/v1/schedules/${id}/retry`)).status).toBe(200);
    expect(await world.over(caller, id, 30_000)).toMatchObject({ status: 'sent', failure: null });
    expect(await world.posts(username)).toHaveLength(1);
  });

  it.each(['accepted_internal_error', 'connection_dropped', 'garbage'])(
    'one post is made when the answer to the first call is lost: %s',
    async kind => {
      const { caller, content, account, username } = await world.ready();
      await world.setFaults({ operation: 'content_init', kind, times: 1 });
      const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
      expect(created.status).toBe(201);
      const done = await world.over(caller, created.body.data.id);
      expect(done).toMatchObject({ status: 'sent', outcome: 'sent_to_drafts' });
      expect(await world.posts(username)).toHaveLength(1);
    },
  );
});
