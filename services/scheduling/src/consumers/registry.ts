/** Everything this service consumes. */
import { type Consumer, on } from '@hookline/shared/consumer';
import { currentContext } from '@hookline/shared/context';
import { automationScheduleRequested } from '@hookline/shared/events/automation';
import { contentApproved, contentRejected } from '@hookline/shared/events/content';
import { newId } from '@hookline/shared/ids';
import { wakeRequests, wakeWorkers } from '../queries/due-schedules.ts';
import { insertScheduleRequest } from '../queries/schedule-requests.ts';
import { releaseHeld } from '../queries/schedules.ts';

export function consumers(now: () => Date): Consumer[] {
  return [
    {
      // A schedule that waits for a decision looks again when one was taken.
      name: 'content-decided',
      reactions: [contentApproved, contentRejected].map(definition =>
        on(definition, async (tx, event) => {
          await releaseHeld(tx, event.data.content.id);
          wakeWorkers(tx);
        }),
      ),
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
