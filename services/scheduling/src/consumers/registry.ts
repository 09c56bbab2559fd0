/** Everything this service consumes. */

import { automationScheduleRequested, contentApproved, contentRejected } from '@hookline/shared/events';
import { currentContext, newId } from '@hookline/shared/kernel';
import { type Consumer, on } from '@hookline/shared/service';
import { failSchedule } from '../actions/end-schedule.ts';
import { wakeRequests, wakeWorkers } from '../queries/due-schedules.ts';
import { insertScheduleRequest } from '../queries/schedule-requests.ts';
import { lockWaitingOfOlderVersion, releaseHeld } from '../queries/schedules.ts';
import { rejected } from '../rules/failures.ts';

export function consumers(now: () => Date): Consumer[] {
  return [
    {
      // A schedule that waits for a decision looks again when one was taken.
      name: 'content-decided',
      reactions: [
        on(contentApproved, async (tx, { data: { content } }) => {
          await releaseHeld(tx, content.id);
          wakeWorkers(tx);
        }),
        on(contentRejected, async (tx, { data: { content } }) => {
          // A rejected edit ends what waits for it, however far its time. Where the scheduled version itself is
          // rejected, that may be overruled until then (D-2).
          for (const schedule of await lockWaitingOfOlderVersion(tx, content.id, content.version)) {
            await failSchedule(tx, schedule, rejected(), now());
          }
          await releaseHeld(tx, content.id);
          wakeWorkers(tx);
        }),
      ],
    },
    {
      // Written down here, done by a worker: its checks ask other services and the platform.
      name: 'schedule-requested',
      reactions: [
        on(automationScheduleRequested, async (tx, { data, accountId }) => {
          const row = {
            firingId: data.firingId,
            accountId,
            automationId: data.automationId,
            contentId: data.contentId,
            platformAccountId: data.tiktokAccountId,
            scheduledFor: new Date(data.scheduledFor),
            mode: data.mode,
            privacyLevel: data.privacyLevel,
            scheduleId: newId('schedule', now().getTime()),
            requestId: currentContext()?.requestId ?? null,
          };
          await insertScheduleRequest(tx, row, now());
          wakeRequests(tx);
        }),
      ],
    },
  ];
}
