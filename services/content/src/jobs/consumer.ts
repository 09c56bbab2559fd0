import { automationFired } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { ContentDeps } from '../deps.ts';
import { queueContent } from './queue.ts';

export function automationFiredConsumer(deps: ContentDeps): Consumer {
  return {
    name: 'automation-fired',
    reactions: [on(automationFired, (tx, event) => queueContent(deps, tx, event))],
  };
}
