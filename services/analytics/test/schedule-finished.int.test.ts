import { schedulePublished } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { type TestService, testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { startWorld } from './world.ts';

const world = perSuite(startWorld);
let service: TestService;

beforeAll(async () => {
  service = world.service;
});

/** Publishes the end of a schedule and waits until it was counted. */
async function finish(accountId: string): Promise<void> {
  const id = newId('event');
  const data = schedulePublished.example;
  await service.publish(schedulePublished, { subject: 'schedule_1', accountId, data, id });
  const counted = `select from inbox where consumer = 'analytics.schedule-finished' and event_id = $1`;
  await eventually(async () => expect(await service.db.query(counted, [id])).toHaveLength(1));
}

describe('analytics.schedule-finished', () => {
  it('enters no total of the summary', async () => {
    const caller = testCaller();
    await finish(caller.accountId);
    const answer = await service.call('GET', '/v1/analytics/summary', { caller });
    expect(answer.body).toMatchObject({ data: { totals: { views: 0, likes: 0, comments: 0, posts: 0 } } });
  });
});
