/** Kills and suspends replicas of services during the work, and restarts them like a supervisor. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DistributedProduct, Service } from '../product/distributed.ts';
import type { ProductProcess } from '../product/processes.ts';

export type Disturbance = {
  kills: number;
  /** Replicas that were suspended and resumed. */
  stops: number;
  /** Starts that failed before the replica was ready, and were retried. */
  failedStarts: number;
  /** Replicas that ended without being killed, with their last output. */
  fallen: string[];
  /** Suspends a ready replica for this long. */
  stopOne(forMs: number): Promise<void>;
  /**
   * Ends the disturbance; resolves when every replica runs and is ready again. @throws Error of one that did
   * not
   */
  heal(): Promise<void>;
};

export type DisturbOptions = {
  services: readonly Service[];
  /** Time between two kills. */
  killEveryMs: number;
  /**
   * A kill waits until more than this many are ready, where starts take longer than the time between two.
   * Default 0.
   */
  readyMin?: number;
  /** Regular suspensions; absent: only on request. */
  stops?: {
    everyMs: number;
    /** Duration of a suspension. */
    forMs: readonly [least: number, most: number];
  };
  onFault(what: 'kill' | 'ready' | 'stop' | 'continue', pid: number, service: Service): void;
};

/** A failed start is retried after this, like an exited container. */
const startAgainAfterMs = 500;
const startsMax = 60;

/** Only ready replicas are struck: killing one that is still starting would disturb nothing. */
export function disturb(product: DistributedProduct, options: DisturbOptions): Disturbance {
  const ready = new Map<ProductProcess, Service>();
  const stopped = new Set<ProductProcess>();
  const struck = new Set<ProductProcess>();
  const restarts = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let isOver = false;

  /** Waits for a ready replica; undefined once the disturbance is over. */
  async function pickReady(readyMin = 0): Promise<ProductProcess | undefined> {
    for (;;) {
      const all = [...ready.keys()].filter(one => !stopped.has(one));
      if (isOver) return undefined;
      if (all.length > readyMin) return all[Math.floor(Math.random() * all.length)];
      await wait(100);
    }
  }

  function watch(one: ProductProcess, service: Service): void {
    ready.set(one, service);
    void one.exited.then(() => {
      ready.delete(one);
      if (struck.has(one)) return;
      disturbance.fallen.push(`${service}: ${one.output().slice(-500)}`);
      if (!isOver) bringBack(one, service);
    });
  }

  function bringBack(dead: ProductProcess, service: Service): void {
    const restarting: Promise<unknown> = startUntilReady(dead)
      .then(one => {
        watch(one, service);
        options.onFault('ready', one.pid, service);
      })
      .catch(error => failures.push(error))
      .finally(() => restarts.delete(restarting));
    restarts.add(restarting);
  }

  async function startUntilReady(dead: ProductProcess): Promise<ProductProcess> {
    for (let starts = 1; ; starts += 1) {
      try {
        return await product.restart(dead);
      } catch (error) {
        const isStillStarting = product.isRunningInPlaceOf(dead);
        if (isStillStarting || starts === startsMax) throw error;
        disturbance.failedStarts += 1;
        await wait(startAgainAfterMs);
      }
    }
  }

  async function killOn(): Promise<void> {
    while (!isOver) {
      await wait(options.killEveryMs);
      const victim = await pickReady(options.readyMin);
      const service = victim && ready.get(victim);
      if (!victim || !service) continue;
      ready.delete(victim);
      struck.add(victim);
      victim.signal('SIGKILL');
      await victim.exited;
      disturbance.kills += 1;
      options.onFault('kill', victim.pid, service);
      bringBack(victim, service);
    }
  }

  async function stopOne(forMs: number): Promise<void> {
    const victim = await pickReady();
    const service = victim && ready.get(victim);
    if (!victim || !service) return;
    stopped.add(victim);
    victim.signal('SIGSTOP');
    options.onFault('stop', victim.pid, service);
    await wait(forMs);
    victim.signal('SIGCONT');
    options.onFault('continue', victim.pid, service);
    stopped.delete(victim);
    disturbance.stops += 1;
  }

  async function stopOn({ everyMs, forMs: [least, most] }: NonNullable<DisturbOptions['stops']>) {
    while (!isOver) {
      await wait(everyMs);
      await stopOne(least + Math.random() * (most - least));
    }
  }

  const disturbance: Disturbance = {
    kills: 0,
    stops: 0,
    failedStarts: 0,
    fallen: [],
    stopOne,
    async heal() {
      isOver = true;
      await Promise.all(running);
      while (restarts.size > 0) await Promise.all(restarts);
      if (failures.length > 0) throw failures[0];
    },
  };
  for (const service of options.services) for (const one of product.replicas(service)) watch(one, service);
  const running = [killOn(), ...(options.stops ? [stopOn(options.stops)] : [])];
  return disturbance;
}
