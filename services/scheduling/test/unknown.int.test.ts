import { eventually } from '@hookline/shared/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ withoutWebhooks: true, timings: { settleWithinMs: 2_500, callTimeoutMs: 600 } });
});
afterAll(async () => {
  await world.stop();
});

describe('without the platform’s webhooks', () => {
  it('settles accepted posts by asking for their status', async () => {
    const { caller, content, account, username } = await world.ready();
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect((await world.over(caller, created.body.data.id)).outcome).toBe('sent_to_drafts');
    expect(await world.posts(username)).toHaveLength(1);
  });

  it('finds the public id of a post by asking on', async () => {
    const { caller, content, account } = await world.ready();
    const body = { mode: 'publish', privacyLevel: 'PUBLIC_TO_EVERYONE' };
    const created = await world.schedule(caller, {
      ...body,
      contentId: content.id,
      tiktokAccountId: account.id,
    });
    await eventually(async () => {
      const { body: one } = await world.call(caller, 'GET', `/v1/schedules/${created.body.data.id}`);
      expect(one.data.platformPostId).toMatch(/^\d{19}$/);
    }, 10_000);
  });

  it('ends a call that was pulled and never answered as outcome_unknown, and never sends it again', async () => {
    const { caller, content, account, username } = await world.ready();
    await world.setFaults({
      operation: 'content_init',
      kind: 'accepted_then_slow',
      times: 1,
      delayMs: 5_000,
    });
    const created = await world.schedule(caller, { contentId: content.id, tiktokAccountId: account.id });
    expect(created.status).toBe(201);
    expect(created.body.data.status).toBe('sending');
    const done = await world.over(caller, created.body.data.id, 15_000);
    expect(done.failure).toMatchObject({
      code: 'outcome_unknown',
      category: 'outcome_unknown',
      retryable: false,
    });
    const retried = await world.call(caller, 'POST', `/v1/schedules/${done.id}/retry`);
    expect(retried.body.error.code).toBe('not_postable');
    expect(await world.posts(username)).toHaveLength(1);
    expect(await world.control('GET', `init-requests?account=${username}`)).toHaveLength(1);
    const types = await eventually(() => {
      const seen = world.service.published.filter(m => m.key === done.id).map((m: Json) => m.headers.ce_type);
      expect(seen).toHaveLength(2);
      return seen;
    });
    expect(types).toEqual(['schedule.created', 'schedule.failed']);
  }, 20_000);

  it('502 tiktok_create_failed when the platform cannot be reached at all', async () => {
    const away = await startWorld({ withoutWebhooks: true });
    try {
      const { caller, content, account } = await away.ready();
      await away.stopPlatform();
      const body = { contentId: content.id, tiktokAccountId: account.id };
      const answer = await away.schedule(caller, body);
      expect([answer.status, answer.body.error.code]).toEqual([502, 'tiktok_create_failed']);
      const { body: list } = await away.call(caller, 'GET', '/v1/schedules');
      expect(list.data[0].failure).toMatchObject({ category: 'platform_unavailable', retryable: true });
    } finally {
      await away.stop();
    }
  });
});
