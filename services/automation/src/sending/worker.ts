import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import { recordDelivered } from '../deliveries/queries.ts';
import type { ClaimedDelivery } from '../deliveries/record.ts';
import type { AutomationDeps } from '../deps.ts';
import { findBoundedHost } from '../receivers/webhook-url.rules.ts';
import { markHealthy } from '../webhooks/queries.ts';
import { deliver } from './attempt.ts';
import { claimDeliveries, endClaim, leaseMs, releaseClaims, renewClaims } from './claim.ts';
import { createHostWindows } from './host-windows.ts';
import { createLanes, type Lanes, type Sent } from './lanes.ts';
import { createLeases, type Leases } from './leases.ts';
import { createOutcomeWriter } from './outcome-writer.ts';

const claimedMax = 2_048;
const claimMax = 256;
// Simultaneous wake-ups share one claim, and a pause of twice its time follows: the busier the database, the
// more each claim finds.
const claimSpacingMs = 4;
const claimPauses = 2;
const renewMs = 2_000;
const pollMs = 2_000;
// A shutdown phase takes 3 s.
const stopWaitMs = 2_000;

/** Every endpoint has a lane with its own window, so that a receiver that hangs delays no other. */
export function deliverWebhooksWorker(deps: AutomationDeps, wake: () => void): Worker {
  const leases = createLeases(leaseMs);
  const sending = createSending(deps, leases, wake);
  const lanes = createLanes<ClaimedDelivery>({
    sizeMax: claimedMax,
    ...sending,
    onRoom: wake,
    onRelease: ({ id }) => leases.drop(id),
  });
  const { claim, release, renew } = createClaims(deps, leases, lanes);
  let renewal: NodeJS.Timeout | undefined;

  return {
    name: 'deliver-webhooks',
    work: claim,
    pollMs,
    channels: { [channels.deliveries]: wake, [channels.webhooks]: id => void release(0, id) },
    async start() {
      renewal = setInterval(() => {
        void release(renewMs);
        void renew();
      }, renewMs);
      renewal.unref();
    },
    async stop(endLoop) {
      sending.expectAborts();
      await endLoop();
      await release(0);
      // Attempts in flight may finish; one that hangs is left to its lease.
      await Promise.race([lanes.settled(), delay(stopWaitMs, undefined, { ref: false })]);
      sending.stop();
      clearInterval(renewal);
    },
  };
}

function createSending(deps: AutomationDeps, leases: Leases, wake: () => void) {
  const { db, log, allowedTargets } = deps;
  const hosts = createHostWindows();
  let isStopping = false;
  const outcomes = createOutcomeWriter({
    log,
    async writeDelivered(records) {
      if (await recordDelivered(db, records)) wake();
    },
    clearFailures: webhookIds => markHealthy(db, webhookIds),
  });

  async function send(delivery: ClaimedDelivery): Promise<Sent> {
    if (!leases.isHeld(delivery.id)) {
      log.warn({ deliveryId: delivery.id }, 'a delivery was not sent: its lease had expired');
      return { isTaken: false, recorded: Promise.resolve() };
    }
    try {
      const attempt = await deliver(deps, delivery);
      const { isTaken } = attempt;
      const host = findBoundedHost(delivery.url, allowedTargets);
      if (host !== null && attempt.isSent) hosts.recordAnswer(host, delivery.webhookId, isTaken);
      if (attempt.isTaken) return { isTaken, recorded: outcomes.delivered(attempt.success) };
      // A failed attempt releases the next event of its resource.
      return { isTaken, recorded: outcomes.failed(attempt.recordFailure).then(wake) };
    } catch (error) {
      const level = isStopping ? 'debug' : 'error';
      log[level]({ err: error, deliveryId: delivery.id }, 'an attempt was aborted; its lease will expire');
      return { isTaken: false, recorded: Promise.resolve() };
    }
  }

  return {
    send,
    takeHostPlace({ url, webhookId }: ClaimedDelivery): boolean {
      const host = findBoundedHost(url, allowedTargets);
      return host === null || hosts.take(host, webhookId);
    },
    expectAborts() {
      isStopping = true;
    },
    stop: outcomes.stop,
  };
}

function createClaims(deps: AutomationDeps, leases: Leases, lanes: Lanes<ClaimedDelivery>) {
  const { log } = deps;
  const token = randomUUID();
  let claimAfterMs = 0;

  async function claim(): Promise<boolean | Date> {
    const limit = Math.min(claimMax, claimedMax - lanes.size);
    // A delivery that ends wakes the loop.
    if (limit <= 0) return false;
    const waitMs = claimAfterMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const beganMs = performance.now();
    const room = lanes.room();
    const claimed = await claimDeliveries(deps, { token, room, limit });
    for (const { id } of claimed.deliveries) leases.set(id, beganMs);
    lanes.add(claimed.deliveries, room);
    const tookMs = performance.now() - beganMs;
    const next = await endClaim(deps, claimed);
    claimAfterMs = Math.max(beganMs + claimSpacingMs, performance.now() + claimPauses * tookMs);
    if (claimed.hasMore) return true;
    // The loop sleeps by the machine's clock; the attempts follow the service's.
    return next !== null && new Date(Date.now() + next.getTime() - claimed.at.getTime());
  }

  async function release(ms: number, webhookId?: string): Promise<void> {
    const ids = lanes.takeWaiting(ms, webhookId).map(({ id }) => id);
    if (ids.length === 0) return;
    await releaseClaims(deps, ids, token).catch(error =>
      log.warn({ err: error }, 'deliveries were not released; their leases will expire'),
    );
  }

  async function renew(): Promise<void> {
    const ids = lanes.heldLongerThan(renewMs / 2);
    if (ids.length === 0) return;
    const requestedMs = performance.now();
    try {
      for (const id of await renewClaims(deps, ids, token)) leases.renew(id, requestedMs);
    } catch (error) {
      log.warn({ err: error }, 'leases were not renewed');
    }
  }
  return { claim, release, renew };
}
