/** Everything that the analytics service consumes. */

import { scheduleFailed, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import { noteSchedule } from '../analytics-metrics.ts';
import { countOutcome, type ScheduleOutcome } from '../queries/schedule-outcomes.ts';

export const consumers: readonly Consumer[] = [
  {
    name: 'schedule-finished',
    reactions: [
      on(scheduleSentToDrafts, (tx, event) => count(tx, event, 'sent_to_drafts')),
      on(schedulePublished, (tx, event) => count(tx, event, 'published')),
      on(scheduleFailed, (tx, event) => count(tx, event, 'failed')),
    ],
  },
];

async function count(
  tx: Transaction,
  event: { accountId: string; time: string },
  outcome: ScheduleOutcome,
): Promise<void> {
  await countOutcome(tx, event, outcome);
  noteSchedule(outcome);
}
