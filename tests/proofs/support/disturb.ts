/** Kills and stops replicas of a service while the work goes on, and starts them again. */
import type { DistributedProduct, Service } from '../../e2e/support/distributed.ts';
import type { ProductProcess } from '../../e2e/support/processes.ts';

export type Disturbance = {
  kills: number;
  /** Replicas that stood still for longer than their lease, and went on. */
  stops: number;
  /** Ends the disturbing; resolves when every replica runs and is ready again. @throws Error of one that did not. */
  heal(): Promise<void>;
};

export type DisturbOptions = {
  service: Service;
  /** Between two kills. */
  killEveryMs: number;
  /** Between two stops. */
  stopEveryMs: number;
  /** How long a replica stands still; longer than the lease. */
  stopForMs: readonly [least: number, most: number];
  onFault(what: 'kill' | 'stop' | 'continue', pid: number): void;
};

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Only replicas that are ready are struck: to kill what is still starting would disturb nothing. */
export function disturb(product: DistributedProduct, options: DisturbOptions): Disturbance {
  const ready = new Set(product.replicas(options.service));
  const stopped = new Set<ProductProcess>();
  const restarts = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let isOver = false;

  /** One that is ready, waited for if need be; undefined once it is over. */
  async function pickReady(): Promise<ProductProcess | undefined> {
    for (;;) {
      const all = [...ready].filter(one => !stopped.has(one));
      if (isOver) return undefined;
      if (all.length > 0) return all[Math.floor(Math.random() * all.length)];
      await wait(100);
    }
  }

  function restart(dead: ProductProcess): void {
    const restarting: Promise<unknown> = product
      .restart(dead)
      .then(one => ready.add(one))
      .catch(error => failures.push(error))
      .finally(() => restarts.delete(restarting));
    restarts.add(restarting);
  }

  async function killOn(): Promise<void> {
    while (!isOver) {
      await wait(options.killEveryMs);
      const victim = await pickReady();
      if (!victim) continue;
      ready.delete(victim);
      victim.signal('SIGKILL');
      await victim.exited;
      disturbance.kills += 1;
      options.onFault('kill', victim.pid);
      restart(victim);
    }
  }

  async function stopOn(): Promise<void> {
    const [least, most] = options.stopForMs;
    while (!isOver) {
      await wait(options.stopEveryMs);
      const victim = await pickReady();
      if (!victim) continue;
      stopped.add(victim);
      victim.signal('SIGSTOP');
      options.onFault('stop', victim.pid);
      await wait(least + Math.random() * (most - least));
      victim.signal('SIGCONT');
      options.onFault('continue', victim.pid);
      stopped.delete(victim);
      disturbance.stops += 1;
    }
  }

  const running = [killOn(), stopOn()];
  const disturbance: Disturbance = {
    kills: 0,
    stops: 0,
    async heal() {
      isOver = true;
      await Promise.all(running);
      while (restarts.size > 0) await Promise.all(restarts);
      if (failures.length > 0) throw failures[0];
    },
  };
  return disturbance;
}
