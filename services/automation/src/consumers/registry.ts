import type { Consumer } from '@hookline/shared/service';
import { firingProgress } from './firing-progress.ts';
import { webhookEvents } from './webhook-events.ts';

/** Everything that the automation service consumes. */
export function automationConsumers(now: () => Date): Consumer[] {
  return [firingProgress(now), webhookEvents(now)];
}
