/**
 * Delivers webhooks. Every endpoint has a lane with a window of its own, so that a receiver that hangs holds up
 * nobody else. Deliveries in hand are under a lease that is renewed while the process lives: what a killed worker
 * had in hand is taken over after at most the lease and one poll, 8 s.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { deliver, recordSuccesses } from '../actions/deliver.ts';
import { createHostWindows } from '../delivery/host-windows.ts';
import { createLanes } from '../delivery/lanes.ts';
import { createLeases } from '../delivery/leases.ts';
import { createOutcomeWriter } from '../delivery/outcome-writer.ts';
import type { AutomationDeps } from '../deps.ts';
import { type ClaimedDelivery, claimDeliveries } from '../queries/claim-deliveries.ts';
import { findNextAttemptAt, releaseDeliveries, renewLeases } from '../queries/deliveries.ts';
import { windowStart } from '../rules/endpoint-window.ts';
import { findBoundedHost } from '../rules/webhook-url.ts';

const inHandMax = 2_048;
const claimMax = 256;
// Many wake-ups of one moment are one claim, and looking for work takes at most a third of the time: the busier the
// database, the more one claim finds.
const claimSpacingMs = 4;
const claimPauses = 2;
const leaseMs = 6_000;
const renewMs = 2_000;
const pollMs = 2_000;
// Less than the 3 s that a phase of the shutdown has.
const stopWaitMs = 2_000;

export type DeliverWebhooks = WorkerLoop & {
  /** Endpoints were changed: what was claimed ahead for the old ones is read again. */
  refresh(): void;
};

/** @param deps with `queue`: the connections for claims, leases and successes. */
export function startDeliverWebhooks(deps: AutomationDeps & { queue: Database }): DeliverWebhooks {
  const { queue, now, log } = deps;
  const token = randomUUID();
  const leaseEnd = (): Date => new Date(now().getTime() + leaseMs);
  const leases = createLeases(leaseMs);
  const hosts = createHostWindows();
  let claimAfterMs = 0;
  let walkAfter = '';
  let isStopping = false;

  const outcomes = createOutcomeWriter({
    log,
    async writeDelivered(records) {
      if (await recordSuccesses(queue, records)) loop.wake();
    },
  });

  const lanes = createLanes<ClaimedDelivery>({
    sizeMax: inHandMax,
    async send(delivery) {
      if (!leases.isHeld(delivery.id)) {
        log.warn({ deliveryId: delivery.id }, 'a delivery was not sent: its lease had ended');
        return { isTaken: false, recorded: Promise.resolve() };
      }
      try {
        const { isTaken, recorded } = await deliver(deps, outcomes, delivery, token);
        const host = findBoundedHost(delivery.url, deps.allowedTargets);
        if (host !== null) hosts.noteAnswer(host, isTaken);
        // A failed attempt lets the next event of its resource go.
        return { isTaken, recorded: isTaken ? recorded : recorded.then(() => loop.wake()) };
      } catch (error) {
        const level = isStopping ? 'debug' : 'error';
        log[level]({ err: error, deliveryId: delivery.id }, 'an attempt broke off; its lease ends by itself');
        return { isTaken: false, recorded: Promise.resolve() };
      }
    },
    onRoom: () => loop.wake(),
    onLetGo: ({ id }) => leases.drop(id),
    takeHostPlace({ url }) {
      const host = findBoundedHost(url, deps.allowedTargets);
      return host === null || hosts.take(host);
    },
  });

  async function claim(): Promise<boolean | Date> {
    const limit = Math.min(claimMax, inHandMax - lanes.size);
    // A delivery that ends wakes the loop.
    if (limit <= 0) return false;
    const waitMs = claimAfterMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const beganMs = performance.now();
    const at = now();
    const room = lanes.room();
    const asked = { now: at, leaseUntil: leaseEnd(), token, room, roomElse: windowStart, limit, walkAfter };
    const { deliveries, walkedTo } = await queue.transaction(tx => claimDeliveries(tx, asked));
    walkAfter = walkedTo ?? '';
    const endedMs = performance.now();
    claimAfterMs = Math.max(beganMs + claimSpacingMs, endedMs + claimPauses * (endedMs - beganMs));
    for (const { id } of deliveries) leases.set(id, beganMs);
    const isFull = lanes.add(deliveries, room);
    if (isFull || deliveries.length === limit || walkedTo !== null) return true;
    const next = await findNextAttemptAt(queue, at);
    // The loop sleeps by the machine's clock, the attempts follow the service's.
    return next ? new Date(Date.now() + next.getTime() - at.getTime()) : false;
  }

  /** Gives back what was claimed at least so long ago and not begun. */
  async function release(ms: number): Promise<void> {
    const waiting = lanes.takeWaiting(ms);
    if (waiting.length === 0) return;
    const ids = waiting.map(({ id }) => id);
    await releaseDeliveries(queue, ids, token, now()).catch(error =>
      log.warn({ err: error }, 'deliveries were not given back; their leases end by themselves'),
    );
  }

  async function renew(ids: readonly string[]): Promise<void> {
    const askedMs = performance.now();
    try {
      for (const id of await renewLeases(queue, ids, token, leaseEnd())) leases.renew(id, askedMs);
    } catch (error) {
      log.warn({ err: error }, 'leases were not renewed');
    }
  }

  const renewal = setInterval(() => {
    void release(renewMs);
    const ids = lanes.heldLongerThan(renewMs / 2);
    if (ids.length === 0) return;
    void renew(ids);
  }, renewMs);
  renewal.unref();

  const loop = startWorkerLoop({ name: 'deliver-webhooks', work: claim, pollMs, log });
  return {
    wake: () => loop.wake(),
    refresh: () => void release(0),
    async stop() {
      isStopping = true;
      await loop.stop();
      await release(0);
      // Attempts on their way may end; one that hangs is left to its lease.
      await Promise.race([lanes.settled(), delay(stopWaitMs, undefined, { ref: false })]);
      outcomes.stop();
      clearInterval(renewal);
    },
  };
}
