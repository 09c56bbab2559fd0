import {
  scheduleCreated,
  scheduleDeleted,
  scheduleFailed,
  schedulePublished,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { recordWaiting, releasePermit } from '../actions/release-permits.ts';
import type { ContentDeps } from '../deps.ts';

/** Releases the send permit of a schedule that has ended or waits again, and records which schedules wait. */
export function scheduleFinishedConsumer(deps: ContentDeps): Consumer {
  return {
    name: 'schedule-finished',
    reactions: [
      on(scheduleCreated, (tx, event) => recordWaiting(deps, tx, event)),
      on(scheduleSentToDrafts, (tx, event) => releasePermit(deps, tx, event, 'sent')),
      on(schedulePublished, (tx, event) => releasePermit(deps, tx, event, 'sent')),
      on(scheduleFailed, (tx, event) => releasePermit(deps, tx, event, 'failed')),
      on(scheduleDeleted, (tx, event) => releasePermit(deps, tx, event, 'failed')),
      // The schedule asks for a permit again when it is due. Until then its approval may be withdrawn.
      on(scheduleRequeued, (tx, event) => releasePermit(deps, tx, event, 'failed', true)),
    ],
  };
}
