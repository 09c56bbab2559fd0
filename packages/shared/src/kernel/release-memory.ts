import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In a process that uses less of its thread than this, a pause delays few requests. */
const idleShare = 0.1;

/**
 * Collects the garbage of a start once, after the first `intervalMs` in which the process was idle. V8
 * collects when somebody allocates, so an idle process keeps about 20 MB of its start for minutes. The pause
 * takes 20 to 50 ms in a service and 80 to 150 ms in the whole product.
 */
export function releaseMemoryOfStart(intervalMs: number): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleShare) return;
    clearInterval(timer);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as NodeJS.GCFunction;
    setFlagsFromString('--no-expose-gc');
    void collect({ execution: 'async', flavor: 'last-resort' });
  }, intervalMs);
  timer.unref();
}
