import { scheduleFailed, schedulePublished, scheduleSentToDrafts } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { countSchedule } from '../metrics.ts';

/** Counts how schedules end, for operators. */
export const scheduleFinishedConsumer: Consumer = {
  name: 'schedule-finished',
  reactions: [
    on(scheduleSentToDrafts, async () => countSchedule('sent_to_drafts')),
    on(schedulePublished, async () => countSchedule('published')),
    on(scheduleFailed, async () => countSchedule('failed')),
  ],
};
