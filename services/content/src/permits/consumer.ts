import {
  scheduleCreated,
  scheduleDeleted,
  scheduleDue,
  scheduleFailed,
  schedulePublished,
  scheduleRequeued,
  scheduleSentToDrafts,
} from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { ContentDeps } from '../deps.ts';
import { type PermitNews, recordWaiting, releasePermit } from './release.ts';

const sent: PermitNews = { outcome: 'sent', what: 'delivered' };
const failed: PermitNews = { outcome: 'failed', what: 'not_delivered' };
const withdrawn: PermitNews = { outcome: 'failed', what: 'withdrawn' };
const requeued: PermitNews = { outcome: 'failed', isWaiting: true, what: 'postponed' };
const due: PermitNews = { ...requeued, what: 'due' };

export function scheduleFinishedConsumer(deps: ContentDeps): Consumer {
  return {
    name: 'schedule-finished',
    reactions: [
      on(scheduleCreated, (tx, event) => recordWaiting(deps, tx, event)),
      on(scheduleSentToDrafts, (tx, event) => releasePermit(deps, tx, event, sent)),
      on(schedulePublished, (tx, event) => releasePermit(deps, tx, event, sent)),
      on(scheduleFailed, (tx, event) => releasePermit(deps, tx, event, failed)),
      on(scheduleDeleted, (tx, event) => releasePermit(deps, tx, event, withdrawn)),
      on(scheduleDue, (tx, event) => releasePermit(deps, tx, event, due)),
      // The schedule requests a permit again when it is due. Until then its approval may be withdrawn.
      on(scheduleRequeued, (tx, event) => releasePermit(deps, tx, event, requeued)),
    ],
  };
}
