/** Everything that the content service consumes. */

import type { HooklineEvent } from '@hookline/shared/events';
import {
  automationFired,
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { type Consumer, on } from '@hookline/shared/service';
import { queueContent } from '../actions/queue-content.ts';
import type { ContentDeps } from '../deps.ts';
import { releasePermit } from '../queries/permits.ts';

export function consumers(deps: ContentDeps): Consumer[] {
  const release =
    (outcome: 'sent' | 'failed') =>
    async (tx: Transaction, event: HooklineEvent): Promise<void> => {
      const end = { scheduleId: event.subject, outcome, sequence: event.sequence, at: deps.now() };
      await releasePermit(tx, end);
    };
  return [
    {
      name: 'automation-fired',
      reactions: [on(automationFired, (tx, event) => queueContent(deps, tx, event))],
    },
    {
      name: 'schedule-finished',
      reactions: [
        on(scheduleSentToDrafts, release('sent')),
        on(schedulePublished, release('sent')),
        on(scheduleFailed, release('failed')),
        on(scheduleDeleted, release('failed')),
        // Waiting again, it asks anew; until then its approval may be taken back.
        on(scheduleRequeued, release('failed')),
      ],
    },
  ];
}
