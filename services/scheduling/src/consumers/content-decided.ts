import { contentApproved, contentRejected } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { endRejected, releaseHeld } from '../actions/apply-decision.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Releases, or ends, the schedules that wait for a decision on their content. */
export function contentDecidedConsumer(deps: SchedulingDeps): Consumer {
  return {
    name: 'content-decided',
    reactions: [
      on(contentApproved, (tx, { data }) => releaseHeld(tx, data.content.id)),
      on(contentRejected, (tx, { data }) => endRejected(deps, tx, data.content)),
    ],
  };
}
