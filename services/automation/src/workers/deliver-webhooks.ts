/**
 * Delivers webhooks with bounded concurrency per endpoint and in all, so that a receiver that hangs holds up
 * nobody else. Deliveries in hand are under a lease that is renewed while the process lives: what a killed
 * worker had in hand is taken over after at most the lease and one poll, 8 s.
 */
import { randomUUID } from 'node:crypto';
import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import { deliver } from '../actions/deliver.ts';
import type { AutomationDeps } from '../deps.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  findNextAttemptAt,
  renewLeases,
} from '../queries/deliveries.ts';

const perEndpointMax = 4;
const inHandMax = 32;
const leaseMs = 6_000;
const renewMs = 2_000;
const pollMs = 2_000;
// Less than the 3 s that a phase of the shutdown has.
const stopWaitMs = 2_000;

export function startDeliverWebhooks(deps: AutomationDeps): WorkerLoop {
  const { db, now, log } = deps;
  const inHand = new Map<string, { webhookId: string; token: string; done: Promise<void> }>();
  const leaseEnd = (): Date => new Date(now().getTime() + leaseMs);

  function countPerEndpoint(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { webhookId } of inHand.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return counts;
  }

  function start(delivery: ClaimedDelivery, token: string): void {
    const done = deliver(deps, delivery, token)
      .catch(error => log.error({ err: error, deliveryId: delivery.id }, 'an attempt could not be recorded'))
      .finally(() => {
        if (inHand.get(delivery.id)?.token === token) inHand.delete(delivery.id);
        loop.wake();
      });
    inHand.set(delivery.id, { webhookId: delivery.webhookId, token, done });
  }

  async function claim(): Promise<boolean | Date> {
    const limit = inHandMax - inHand.size;
    // A delivery that ends wakes the loop.
    if (limit <= 0) return false;
    const at = now();
    const token = randomUUID();
    const counts = countPerEndpoint();
    const claimed = await claimDeliveries(db, {
      now: at,
      leaseUntil: leaseEnd(),
      token,
      inHand: counts,
      perEndpointMax,
      limit,
    });
    for (const delivery of claimed) start(delivery, token);
    if (claimed.length > 0) return true;
    const next = await findNextAttemptAt(db, at);
    // The loop sleeps by the machine's clock, the attempts follow the service's.
    return next ? new Date(Date.now() + next.getTime() - at.getTime()) : false;
  }

  const renewal = setInterval(() => {
    if (inHand.size === 0) return;
    const held = [...inHand].map(([id, { token }]) => ({ id, token }));
    renewLeases(db, held, leaseEnd()).catch(error => log.warn({ err: error }, 'leases were not renewed'));
  }, renewMs);
  renewal.unref();

  const loop = startWorkerLoop({ name: 'deliver-webhooks', work: claim, pollMs, log });
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      // Attempts in hand may end; one that hangs is left to its lease.
      await Promise.race([
        Promise.all([...inHand.values()].map(({ done }) => done)),
        new Promise(resolve => setTimeout(resolve, stopWaitMs)),
      ]);
      clearInterval(renewal);
    },
  };
}
