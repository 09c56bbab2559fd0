import type { EventDefinition } from '@hookline/shared/events';
import {
  scheduleCreated,
  scheduleFailed,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { eventually } from '@hookline/testing/eventually';
import { type TestService, testCaller } from '@hookline/testing/service-harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
let service: TestService;

beforeAll(async () => {
  world = await startWorld();
  service = world.service;
});
afterAll(() => world.stop());

function finish(definition: EventDefinition, accountId: string, given: { id?: string; data?: unknown } = {}) {
  return service.publish(definition, {
    subject: 'schedule_1',
    accountId,
    data: definition.example,
    ...given,
  });
}

/** Waits for everything published before: a consumer takes the messages of one key in order. */
async function settled(): Promise<void> {
  const accountId = newId('acct');
  await finish(schedulePublished, accountId);
  await eventually(async () => expect(await countsOf(accountId)).toEqual({ published: 1 }));
}

async function countsOf(accountId: string): Promise<Record<string, number>> {
  const rows = await service.db.query<{ outcome: string; schedules: number }>(
    'select outcome, schedules from schedule_outcomes where account_id = $1',
    [accountId],
  );
  return Object.fromEntries(rows.map(row => [row.outcome, row.schedules]));
}

describe('analytics.schedule-finished', () => {
  it('counts each end per account and UTC day, and leaves other events alone', async () => {
    const accountId = newId('acct');
    await finish(scheduleCreated, accountId);
    await finish(scheduleSentToDrafts, accountId);
    await finish(schedulePublished, accountId);
    await finish(scheduleFailed, accountId);
    await finish(scheduleFailed, accountId);
    await settled();
    expect(await countsOf(accountId)).toEqual({ sent_to_drafts: 1, published: 1, failed: 2 });
    const days = await service.db.query(
      `select distinct to_char(day, 'YYYY-MM-DD') as day from schedule_outcomes where account_id = $1`,
      [accountId],
    );
    expect(days).toEqual([{ day: new Date().toISOString().slice(0, 10) }]);
  });

  it('counts the same event once, however often it comes', async () => {
    const accountId = newId('acct');
    const id = newId('event');
    await Promise.all([1, 2, 3].map(() => finish(schedulePublished, accountId, { id })));
    await settled();
    expect(await countsOf(accountId)).toEqual({ published: 1 });
  });

  it('dead-letters an event that breaks its schema and continues', async () => {
    const accountId = newId('acct');
    const dead: string[] = [];
    await service.bus.subscribe({
      group: 'test.dead-letters',
      topics: ['scheduling.schedules.dlq'],
      handler: async message => {
        dead.push(message.headers.ce_accountid ?? '');
      },
    });
    await finish(scheduleFailed, accountId, { data: { schedule: 'none' } });
    await eventually(() => expect(dead).toEqual([accountId]));
    await settled();
    expect(await countsOf(accountId)).toEqual({});
  });

  it('enters no total of the summary', async () => {
    const caller = testCaller();
    await finish(schedulePublished, caller.accountId);
    await settled();
    const answer = await service.call('GET', '/v1/analytics/summary', { caller });
    expect(answer.body).toMatchObject({ data: { totals: { views: 0, likes: 0, comments: 0, posts: 0 } } });
  });
});
