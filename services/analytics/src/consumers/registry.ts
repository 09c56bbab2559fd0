/** Everything that the analytics service consumes. */
import { type Consumer, on } from '@hookline/shared/consumer';
import { scheduleFailed, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events/scheduling';
import { countOutcome } from '../queries/schedule-outcomes.ts';

export const consumers: readonly Consumer[] = [
  {
    name: 'schedule-finished',
    reactions: [
      on(scheduleSentToDrafts, (tx, event) => countOutcome(tx, event, 'sent_to_drafts')),
      on(schedulePublished, (tx, event) => countOutcome(tx, event, 'published')),
      on(scheduleFailed, (tx, event) => countOutcome(tx, event, 'failed')),
    ],
  },
];
