/** What is done to the product: kill -9 of any service. */
import type { DistributedProduct, Service } from '../../e2e/support/distributed.ts';
import type { Recorder } from '../support/history.ts';
import type { WebhookLine } from './history.ts';

const services: readonly Service[] = ['gateway', 'content', 'scheduling', 'automation', 'analytics'];
const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

export type Killing = { kills: Record<string, number>; heal(): Promise<void> };

/** Kills a replica of a random service every two seconds and starts it again. */
export function killAtRandom(
  product: DistributedProduct,
  everyMs: number,
  recorder: Recorder<WebhookLine>,
): Killing {
  const kills: Record<string, number> = {};
  const starting = new Set<Promise<unknown>>();
  const striking = new Set<Service>();
  let isOver = false;

  async function strike(service: Service): Promise<void> {
    const victim = product.replicas(service)[0];
    if (!victim) return;
    victim.signal('SIGKILL');
    await victim.exited;
    recorder.write({ kind: 'kill', service });
    kills[service] = (kills[service] ?? 0) + 1;
    striking.add(service);
    const restart = product.restart(victim).finally(() => {
      striking.delete(service);
      starting.delete(restart);
    });
    starting.add(restart);
  }

  const running = (async () => {
    for (;;) {
      await wait(everyMs);
      if (isOver) return;
      // To kill what is still starting would disturb nothing.
      const ready = services.filter(service => !striking.has(service));
      if (ready.length > 0) await strike(pick(ready));
    }
  })();
  return {
    kills,
    async heal() {
      isOver = true;
      await running;
      while (starting.size > 0) await Promise.all(starting);
    },
  };
}
