import { automationFired } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { queueContent } from '../actions/queue-content.ts';
import type { ContentDeps } from '../deps.ts';

/** Queues a content per firing. */
export function automationFiredConsumer(deps: ContentDeps): Consumer {
  return {
    name: 'automation-fired',
    reactions: [on(automationFired, (tx, event) => queueContent(deps, tx, event))],
  };
}
