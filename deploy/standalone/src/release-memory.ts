import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After this long the drawing thread and the connections of the first journey have ended. */
const quietMs = 20_000;

/**
 * Collects the garbage of the start once, in one pause of 80 to 150 ms. V8 collects when somebody allocates,
 * so in an idle product 22 MB stayed for 100 s.
 */
export function releaseMemoryOfStart(): void {
  const timer = setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as NodeJS.GCFunction;
    setFlagsFromString('--no-expose-gc');
    void collect({ execution: 'async', flavor: 'last-resort' });
  }, quietMs);
  timer.unref();
}
