import type { Logger } from './logger.ts';
import { areMetricsOn, createDurationMetric } from './metrics.ts';
import { sharedMetrics } from './shared-metrics.ts';
import { watchStuck, watchWork } from './watchdog.ts';

export type WorkerLoop = {
  /** Runs the work now instead of at the next poll. */
  wake(): void;
  /** Resolves after the work in flight. */
  stop(): Promise<void>;
};

export type WorkerLoopOptions = {
  name: string;
  /**
   * Does one piece of work. True: there may be more. A date: run again then at the latest. False: wait for a
   * wake-up.
   */
  work: () => Promise<boolean | Date>;
  /** Backstop between two polls, at least 500 ms: idle costs must stay near zero. */
  pollMs: number;
  /** Pieces in flight at the same time. Default 1. While idle, only one of them polls every `pollMs`. */
  concurrency?: number;
  log: Logger;
};

type Sleeper = { timer: NodeJS.Timeout | undefined; wake: () => void };

// After a fault (database unavailable) the loop waits this long, so that it neither spins nor floods the log.
const faultPauseMs = 1_000;

/**
 * Runs work until it is stopped. Faults are logged and the loop continues; a round that takes over 2 min
 * fails `/livez`.
 */
export function startWorkerLoop({ name, work, pollMs, concurrency = 1, log }: WorkerLoopOptions): WorkerLoop {
  let isStopping = false;
  const measured = areMetricsOn() ? measure(name, work) : work;
  watchStuck(name);
  const sleepers = new Set<Sleeper>();
  // A wake-up between a poll and the sleep after it must not be lost.
  let wakeUps = 0;

  /** @param ms null: until a wake-up, or until it is this sleeper's turn to poll for all of them */
  function sleep(ms: number | null, seenWakeUps: number): Promise<void> {
    if (isStopping || wakeUps !== seenWakeUps) return Promise.resolve();
    return new Promise(resolve => {
      const sleeper: Sleeper = {
        timer: undefined,
        wake() {
          clearTimeout(sleeper.timer);
          sleepers.delete(sleeper);
          keepWatch();
          resolve();
        },
      };
      if (ms !== null) sleeper.timer = setTimeout(sleeper.wake, ms);
      sleepers.add(sleeper);
      keepWatch();
    });
  }

  /** At least one of the sleepers has a timer, even while the last poller is working. */
  function keepWatch(): void {
    const [first] = sleepers;
    if (!first || [...sleepers].some(sleeper => sleeper.timer !== undefined)) return;
    first.timer = setTimeout(first.wake, pollMs);
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const seen = wakeUps;
      try {
        const next = await watchWork(name, log, measured);
        if (next === true) continue;
        const dueInMs = next === false ? null : Math.min(pollMs, Math.max(0, next.getTime() - Date.now()));
        await sleep(dueInMs, seen);
      } catch (error) {
        log.error({ err: error, worker: name }, 'a worker failed and continues');
        await sleep(faultPauseMs, wakeUps);
      }
    }
  }

  const wake = (): void => {
    wakeUps += 1;
    for (const sleeper of [...sleepers]) sleeper.wake();
  };
  const running = Promise.all(Array.from({ length: concurrency }, run));
  return {
    wake,
    async stop() {
      isStopping = true;
      wake();
      await running;
    },
  };
}

/** Measures each piece of the work as `hookline.job.duration`. */
function measure(name: string, work: WorkerLoopOptions['work']): WorkerLoopOptions['work'] {
  const record = createDurationMetric(sharedMetrics.metrics.jobDuration);
  return async () => {
    const beganMs = performance.now();
    let outcome = 'failed';
    try {
      const next = await work();
      outcome = 'done';
      return next;
    } finally {
      record(performance.now() - beganMs, { 'hookline.job.name': name, 'hookline.job.outcome': outcome });
    }
  };
}
