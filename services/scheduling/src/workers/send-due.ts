import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/kernel';
import { type Claimed, claimDue } from '../actions/claim-due.ts';
import type { HeldClaim, Sender } from '../actions/send-schedule.ts';
import type { Parts } from '../parts.ts';
import { findOutlook, renewLeases } from '../queries/claims.ts';
import { untilNext } from './work-channel.ts';

// Sends in hand at the same time, most of them waiting for content or the platform.
const sendsAtOnceMax = 128;
// Half of them, so that the next are claimed while these are sent.
const claimsAtOnceMax = 64;

type InHand = { claim: Claimed; leaseEndsAt: number };

/**
 * Sends what is due: one loop claims as many as can be sent at once, at the very time and in batches under load.
 * @param isReady nothing is claimed while it is false; wake the loop once it turns true.
 */
export function startSendDue(
  parts: Pick<Parts, 'db' | 'log' | 'now' | 'timings'>,
  send: Sender,
  isReady: () => boolean = () => true,
): WorkerLoop {
  const { db, log, timings } = parts;
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
    // The end of a send wakes this loop.
    if (inHand.size >= sendsAtOnceMax || !isReady()) return false;
    const outlook = await findOutlook(db);
    if (!outlook.isDue) return untilNext(outlook.nextInMs);
    return (await claim()) > 0 ? true : untilNext(outlook.nextInMs);
  }

  /** Goes on without another look as long as there is plenty. @returns how many were claimed. */
  async function claim(): Promise<number> {
    for (let total = 0; ; ) {
      const countMax = Math.min(sendsAtOnceMax - inHand.size, claimsAtOnceMax);
      const claimedAt = performance.now();
      const claims = countMax > 0 ? await claimDue(parts, countMax) : [];
      for (const claim of claims) start({ claim, leaseEndsAt: claimedAt + timings.leaseMs });
      total += claims.length;
      if (claims.length < countMax || countMax <= 0) return total;
    }
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
