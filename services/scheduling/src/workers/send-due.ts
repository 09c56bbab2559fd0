import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import { type Claimed, claimDue } from '../actions/claim-due.ts';
import { createSender, type HeldClaim } from '../actions/send-schedule.ts';
import type { Parts } from '../parts.ts';
import { findOutlook, renewLeases } from '../queries/claims.ts';
import { untilNext } from './work-channel.ts';

// Sends in hand at the same time, most of them waiting for content or the platform.
const sendsAtOnceMax = 48;
// Small enough that the first of a thousand does not wait for the last to be claimed.
const claimsAtOnceMax = 24;

type InHand = { claim: Claimed; leaseEndsAt: number };

/** Sends what is due: one loop claims as many as can be sent at once, at the very time and in batches under load. */
export function startSendDue(parts: Parts): WorkerLoop {
  const { db, log, timings } = parts;
  const send = createSender(parts);
  const inHand = new Map<string, InHand>();
  const sends = new Set<Promise<void>>();

  // One statement renews all leases; a claim that is not renewed in time starts no further call.
  const renewal = setInterval(() => {
    if (inHand.size > 0) void renew();
  }, timings.leaseRenewalMs);

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    const claims = [...inHand.values()].map(({ claim }) => claim);
    try {
      for (const { id, fence } of await renewLeases(db, claims, timings.leaseMs)) {
        const held = inHand.get(id);
        if (held?.claim.fence === fence) held.leaseEndsAt = askedAt + timings.leaseMs;
      }
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  async function work(): Promise<boolean | Date> {
    const outlook = await findOutlook(db);
    if (!outlook.isDue) return untilNext(outlook.nextInMs);
    const free = sendsAtOnceMax - inHand.size;
    // The end of a send wakes this loop.
    if (free <= 0) return false;
    const claimedAt = performance.now();
    const claims = await claimDue(parts, Math.min(free, claimsAtOnceMax));
    for (const claim of claims) start({ claim, leaseEndsAt: claimedAt + timings.leaseMs });
    return claims.length > 0 ? true : untilNext(outlook.nextInMs);
  }

  function start(held: InHand): void {
    const { claim } = held;
    inHand.set(claim.id, held);
    const asked: HeldClaim = { ...claim, isHeld: () => performance.now() < held.leaseEndsAt };
    const sent = send(asked)
      .catch(error => log.error({ err: error, schedule: claim.id }, 'a send met a fault'))
      .finally(() => {
        // A later claim of the same schedule has an entry of its own.
        if (inHand.get(claim.id) === held) inHand.delete(claim.id);
        sends.delete(sent);
        loop.wake();
      });
    sends.add(sent);
  }

  const loop = startWorkerLoop({ name: 'send-due', work, pollMs: timings.pollMs, log });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await Promise.all(sends);
      clearInterval(renewal);
    },
  };
}
