import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@hookline/shared/bus';
import type { Logger } from '@hookline/shared/kernel';

const retryMs = 500;
const complainEveryMs = 60_000;

type ReadBack = Pick<Bus, 'readBack'>;

/** Compares the newest events on the bus with the database, again after each change of the server. */
export function createBusComparison(log: Logger, compare: (bus: ReadBack) => Promise<void>) {
  let bus: ReadBack | undefined;
  let isReady = false;
  let onReady = (): void => {};
  let comparing: Promise<void> = Promise.resolve();
  let comparisons = 0;
  let goesOn: NodeJS.Timeout | undefined;
  const stopped = new AbortController();

  function compareAnew(): void {
    comparisons += 1;
    const nth = comparisons;
    if (bus) comparing = comparing.then(() => compareUntilDone(nth));
  }

  async function compareUntilDone(nth: number): Promise<void> {
    let complainedAtMs = Number.NEGATIVE_INFINITY;
    while (!stopped.signal.aborted) {
      try {
        if (bus) await compare(bus);
        isReady ||= nth === comparisons;
        onReady();
        return;
      } catch (error) {
        if (performance.now() - complainedAtMs > complainEveryMs) {
          log.warn({ err: error, isReady }, 'the bus cannot be compared with the database yet');
          complainedAtMs = performance.now();
        }
      }
      await delay(retryMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  return {
    isReady: () => isReady,
    start(wake: () => void): void {
      onReady = wake;
    },
    /** Resolves at the end of the last comparison, or at the stop; retries what fails. */
    async run(on: ReadBack): Promise<void> {
      bus = on;
      compareAnew();
      // A failover begins another comparison meanwhile.
      for (let last: unknown; last !== comparing; await last) last = comparing;
    },
    /** The server that was compared last counts as compared if the bus does not answer in time. */
    goOnAfter(ms: number): void {
      goesOn = setTimeout(() => {
        if (isReady) return;
        log.warn(
          'the bus does not answer; the database is the one that was compared last, so posts are sent',
        );
        isReady = true;
        onReady();
      }, ms).unref();
    },
    /** The workers that remember the missing commits of another server may be gone; their events are not. */
    restart(): void {
      isReady = false;
      clearTimeout(goesOn);
      compareAnew();
    },
    async stop(): Promise<void> {
      clearTimeout(goesOn);
      stopped.abort();
      await comparing;
    },
  };
}
