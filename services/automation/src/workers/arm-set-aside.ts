import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { armSetAside } from '../actions/arm-set-aside.ts';
import type { AutomationDeps } from '../deps.ts';

const pollMs = 3_600_000;

/** Arms what was set aside: at the start, because a new version may settle it, and once an hour. */
export function startArmSetAside(deps: Pick<AutomationDeps, 'db' | 'now' | 'log'>): WorkerLoop {
  async function arm(): Promise<false> {
    await armSetAside(deps);
    return false;
  }
  return startWorkerLoop({ name: 'arm-set-aside', work: arm, pollMs, log: deps.log });
}
