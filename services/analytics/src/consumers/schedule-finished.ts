import { scheduleFailed, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { recordOutcome } from '../actions/record-outcome.ts';

/** Counts how schedules end. */
export const scheduleFinishedConsumer: Consumer = {
  name: 'schedule-finished',
  reactions: [
    on(scheduleSentToDrafts, (tx, event) => recordOutcome(tx, event, 'sent_to_drafts')),
    on(schedulePublished, (tx, event) => recordOutcome(tx, event, 'published')),
    on(scheduleFailed, (tx, event) => recordOutcome(tx, event, 'failed')),
  ],
};
