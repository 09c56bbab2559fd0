/** Ends each replica in turn, like a rollout, and restarts it, with requests in flight. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DistributedProduct, Service } from '../product/distributed.ts';
import type { ReadyProxy } from '../product/ready-proxy.ts';

export type Restart = {
  service: Service;
  /** Requests that the replica had not answered when the signal came. */
  inFlight: number;
  /** Largest number of those observed at once until it had exited. */
  inFlightMax: number;
  exit: number | string;
  exitMs: number;
  /** Time from the start of the process to the first 200 of `/readyz`. */
  readyMs: number;
};

export type RestartOptions = {
  product: DistributedProduct;
  fronts: ReadonlyMap<Service, ReadyProxy>;
  services: readonly Service[];
  /** Number of restarts of each replica of each service. */
  rounds: number;
  signal: 'SIGTERM' | 'SIGKILL';
  /** After each restart. */
  pauseMs: number;
  onRestart?(restart: Restart): void;
};

const checkEveryMs = 5;

/** One replica at a time, so that each service always has another. */
export async function restartInTurn(options: RestartOptions): Promise<Restart[]> {
  const { product, fronts, services, rounds, signal, pauseMs } = options;
  const restarts: Restart[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const service of services) {
      for (const url of product.urlsOf(service)) {
        const replica = product.replicaAt(url);
        const inFlightNow = (): number => fronts.get(service)?.inFlight(url) ?? 0;
        // Waits up to 10 s for a request in flight: at 25 requests a second, polling for 2.5 s found none at 4
        // of 10 replicas.
        for (let checks = 0; checks < 2_000 && inFlightNow() === 0; checks += 1) await wait(checkEveryMs);
        const inFlight = inFlightNow();
        let inFlightMax = inFlight;
        const timer = setInterval(() => {
          inFlightMax = Math.max(inFlightMax, inFlightNow());
        }, checkEveryMs);
        const signalledMs = performance.now();
        replica.signal(signal);
        const exit = await replica.exited;
        const exitMs = performance.now() - signalledMs;
        clearInterval(timer);
        const startedMs = performance.now();
        await product.restart(replica);
        const readyMs = performance.now() - startedMs;
        const restart = { service, inFlight, inFlightMax, exit, exitMs, readyMs };
        restarts.push(restart);
        options.onRestart?.(restart);
        // Like a rollout: the next goes only when requests reach this one again.
        while (!fronts.get(service)?.isReady(url)) await wait(50);
        await wait(pauseMs);
      }
    }
  }
  return restarts;
}
