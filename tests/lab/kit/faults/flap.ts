/** Customer endpoints that come and go. */
import type { Endpoint, Mode } from '../servers/receivers.ts';

/**
 * Each endpoint is down for 3 s of every 12, in its own way. @returns the number of outages, and a function
 * that ends them
 */
export function flap(endpoints: readonly Endpoint[]): { downs(): number; stop(): void } {
  const ways: readonly Mode[] = ['refusing', 'dropping', 'slow'];
  let downs = 0;
  const timers = endpoints.map((one, index) => {
    const turn = (): void => {
      downs += 1;
      one.mode = ways[(index + downs) % ways.length] as Mode;
      setTimeout(() => {
        one.mode = 'quick';
      }, 3_000);
    };
    setTimeout(turn, Math.random() * 4_000);
    return setInterval(turn, 12_000);
  });
  return {
    downs: () => downs,
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
