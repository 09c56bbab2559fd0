import { hourMs } from '@hookline/shared/kernel/durations';
import { onePerPoll, type Worker } from '@hookline/shared/service';
import { armSetAside } from '../actions/arm-set-aside.ts';
import type { AutomationDeps } from '../deps.ts';

/** Arms what was set aside: at the start, because a new version may settle it, and once an hour. */
export function armSetAsideWorker(deps: AutomationDeps): Worker {
  return { name: 'arm-set-aside', work: onePerPoll(() => armSetAside(deps)), pollMs: hourMs };
}
