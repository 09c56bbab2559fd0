import { contentApproved, contentRejected } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { endRejected, releaseApproved } from '../actions/apply-decision.ts';
import type { SchedulingDeps } from '../deps.ts';

/** Releases, or ends, the schedules that wait for a decision on their content. */
export function contentDecidedConsumer(deps: SchedulingDeps): Consumer {
  return {
    name: 'content-decided',
    reactions: [
      on(contentApproved, (tx, { data, sequence }) => releaseApproved(tx, data.content.id, sequence)),
      on(contentRejected, (tx, { data, sequence }) => endRejected(deps, tx, data.content, sequence)),
    ],
  };
}
