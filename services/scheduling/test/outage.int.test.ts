/** A dependency is down for longer than a dozen tries take: no post and no firing is given up. */

import { automationScheduleRequested } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { type Json, startWorld, type World } from './world.ts';

// Two hours of tries up to 5 min apart become a minute of tries up to 200 ms apart.
const world = perSuite(() => startWorld({ timings: { tryPauseMaxMs: 200, lateMaxMs: 60_000 } }));

async function triesIn({ service }: World, id: string): Promise<number> {
  const [row] = await service.db.query<{ tries: number }>(
    `select tries from schedules where id = $1
     union all select tries from schedule_requests where firing_id = $1`,
    [id],
  );
  return row?.tries ?? 0;
}

it('a planned post is sent when content is back', async () => {
  const { caller, content, account, username } = await world.ready();
  world.content.isAway = true;
  const { body } = await world.schedule(caller, {
    contentId: content.id,
    tiktokAccountId: account.id,
    scheduledFor: new Date(Date.now() + 100).toISOString(),
  });
  await eventually(async () => {
    expect(await triesIn(world, body.data.id)).toBeGreaterThan(14);
  }, 40_000);
  world.content.isAway = false;
  expect((await world.over(caller, body.data.id, 20_000)).status).toBe('sent');
  expect(await world.posts(username)).toHaveLength(1);
}, 80_000);

it('a post that waited for content too long says so, not that TikTok was away, and can be retried', async () => {
  const short = await startWorld({ timings: { tryPauseMaxMs: 50, lateMaxMs: 1_500 } });
  try {
    const { caller, content, account, username } = await short.ready();
    short.content.isAway = true;
    const { body } = await short.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 100).toISOString(),
    });
    const { failure, timeline } = await short.over(caller, body.data.id, 20_000);
    expect(failure).toEqual({
      code: 'service_unavailable',
      category: 'internal',
      message: 'Part of the service was unavailable for too long, so no draft was made. Try again.',
      retryable: true,
      platformMessage: null,
    });
    expect(timeline.at(-2).what).toBe('put_off');
    expect(await short.control('GET', `init-requests?account=${username}`)).toEqual([]);
    short.content.isAway = false;
    expect((await short.call(caller, 'POST', `/v1/schedules/${body.data.id}/retry`)).status).toBe(200);
    expect((await short.over(caller, body.data.id)).status).toBe('sent');
  } finally {
    await short.stop();
  }
}, 40_000);

it('a firing waits for TikTok, and is not rejected', async () => {
  const { caller, content, account } = await world.ready();
  const { service } = world;
  await world.setFaults({ operation: 'creator_info', kind: 'connection_dropped' });
  const [automationId, firingId] = [newId('automation'), newId('firing')];
  content.origin = { automationId, firingId };
  await service.db.query('update platform_accounts set checked_at = null where id = $1', [account.id]);
  await service.publish(automationScheduleRequested, {
    subject: automationId,
    accountId: caller.accountId,
    data: {
      ...{ automationId, firingId, contentId: content.id, tiktokAccountId: account.id },
      ...{ scheduledFor: new Date().toISOString(), mode: 'publish', privacyLevel: 'SELF_ONLY', keyIds: [] },
    },
  });
  await eventually(async () => {
    expect(await triesIn(world, firingId)).toBeGreaterThan(14);
  }, 40_000);
  await world.setFaults();
  const answers = (): string[] =>
    service.published
      .filter(({ value, headers }: Json) => value.includes(firingId) && /^schedule\./.test(headers.ce_type))
      .map(({ headers }: Json) => headers.ce_type);
  await eventually(() => expect(answers()).toContain('schedule.published'), 20_000);
  expect(answers()[0]).toBe('schedule.created');
}, 80_000);

it('through a long pause a post waits as pending, and can be withdrawn', async () => {
  const slow = await startWorld({ timings: { tryPauseMaxMs: 60_000 } });
  try {
    const { caller, content, account } = await slow.ready();
    slow.content.isAway = true;
    const { body } = await slow.schedule(caller, {
      contentId: content.id,
      tiktokAccountId: account.id,
      scheduledFor: new Date(Date.now() + 60_000).toISOString(),
    });
    const { id } = body.data;
    // The state after five tries of an outage: the next pause is 32 s.
    await slow.service.db.query('update schedules set tries = 5, due_at = now() where id = $1', [id]);
    await slow.service.db.query(`select pg_notify('scheduling_work', '')`);
    await eventually(async () => expect(await triesIn(slow, id)).toBe(6), 10_000);
    const { body: waiting } = await slow.call(caller, 'GET', `/v1/schedules/${id}`);
    expect(waiting.data.status).toBe('pending');
    expect((await slow.call(caller, 'DELETE', `/v1/schedules/${id}`)).status).toBe(200);
  } finally {
    await slow.stop();
  }
}, 40_000);
