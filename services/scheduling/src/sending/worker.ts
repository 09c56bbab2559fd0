import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import { createDueSends } from './due-sends.ts';
import { sendSchedule } from './send.ts';

/** Nothing is sent until the database was found to hold what this service did before. */
export function sendDueWorker(deps: SchedulingDeps, wake: () => void): Worker {
  const { watch, timings } = deps;
  const sends = createDueSends(deps, claim => sendSchedule(deps, claim), wake);
  return {
    name: 'send-due',
    work: sends.work,
    pollMs: timings.pollMs,
    channels: { [channels.due]: wake },
    async start() {
      await watch.start(wake);
      sends.start();
    },
    async stop(endLoop) {
      await endLoop();
      await sends.stop();
      await watch.stop();
    },
  };
}
