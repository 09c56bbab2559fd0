/** Everything that the content service consumes. */
import { type Consumer, on } from '@hookline/shared/consumer';
import { automationFired } from '@hookline/shared/events/automation';
import {
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleSentToDrafts,
} from '@hookline/shared/events/scheduling';
import { queueContent } from '../actions/queue-content.ts';
import type { ContentDeps } from '../deps.ts';
import { releasePermit } from '../queries/permits.ts';

export function consumers(deps: ContentDeps): Consumer[] {
  return [
    {
      name: 'automation-fired',
      reactions: [on(automationFired, (tx, event) => queueContent(deps, tx, event))],
    },
    {
      name: 'schedule-finished',
      reactions: [
        on(scheduleSentToDrafts, (tx, event) => releasePermit(tx, event.subject, 'sent', deps.now())),
        on(schedulePublished, (tx, event) => releasePermit(tx, event.subject, 'sent', deps.now())),
        on(scheduleFailed, (tx, event) => releasePermit(tx, event.subject, 'failed', deps.now())),
        on(scheduleDeleted, (tx, event) => releasePermit(tx, event.subject, 'failed', deps.now())),
      ],
    },
  ];
}
