/** Five services with two replicas each, every service behind one address that honours readiness. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  type DistributedOptions,
  type DistributedProduct,
  type Service,
  startDistributed,
} from './distributed.ts';
import { type ReadyProxy, startReadyProxy } from './ready-proxy.ts';

export const services = [
  'gateway',
  'content',
  'scheduling',
  'automation',
  'analytics',
] as const satisfies Service[];

export type Stack = {
  product: DistributedProduct;
  fronts: ReadonlyMap<Service, ReadyProxy>;
  close(): Promise<void>;
};

/** Null when Kafka or Redis is unavailable on this machine. */
export async function startStack(
  env: Record<string, string> = {},
  options: DistributedOptions = {},
): Promise<Stack | null> {
  const fronts = new Map<Service, ReadyProxy>();
  const product = await startDistributed(
    {
      // Ten processes share a Postgres that accepts 200 connections.
      DATABASE_POOL_MAX: '5',
      GATEWAY_REPLICAS: '2',
      LIMIT_PER_IP: '1000000',
      LIMIT_PER_KEY: '1000000',
      LIMIT_CONTENT_PER_KEY: '100000',
      DAILY_GENERATIONS: '1000000',
      SIGNUP_CREDITS: '1000000',
      ...env,
    },
    {
      replicas: { gateway: 2, content: 2, scheduling: 2, automation: 2, analytics: 2 },
      async inFront(service, urls) {
        const front = await startReadyProxy(urls);
        fronts.set(service, front);
        return front.url;
      },
      ...options,
    },
  );
  if (!product) return null;
  // They probe each replica twice a second, and let nothing through before.
  const isOpen = ([service, front]: [Service, ReadyProxy]): boolean =>
    product.urlsOf(service).every(front.isReady);
  while (![...fronts].every(isOpen)) await wait(50);
  return {
    product,
    fronts,
    async close() {
      await Promise.all([...fronts.values()].map(front => front.close()));
      await product.remove();
    },
  };
}
