import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import { type HeldClaim, sendSchedule } from '../actions/send-schedule.ts';
import type { Parts } from '../parts.ts';
import { type Claim, claimDue, findNextDueMs, renewLeases } from '../queries/due-schedules.ts';
import { untilNext } from './work-channel.ts';

const sendsAtOnceMax = 8;

type InHand = Claim & { leaseEndsAt: number };

/** Sends what is due: at once where it is told to look, within the poll where it is not. */
export function startSendDue(parts: Parts): WorkerLoop {
  const { db, log, timings } = parts;
  const inHand = new Map<string, InHand>();

  // One statement renews all leases; a claim that is not renewed in time starts no further call.
  const renewal = setInterval(() => {
    if (inHand.size > 0) void renew();
  }, timings.leaseRenewalMs);

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      for (const { id, fence } of await renewLeases(db, [...inHand.values()], timings.leaseMs)) {
        const claim = inHand.get(id);
        if (claim?.fence === fence) claim.leaseEndsAt = askedAt + timings.leaseMs;
      }
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  async function work(): Promise<boolean | Date> {
    const claimedAt = performance.now();
    const claim = await claimDue(db, timings.leaseMs);
    if (!claim) return untilNext(await findNextDueMs(db));
    const held: InHand = { ...claim, leaseEndsAt: claimedAt + timings.leaseMs };
    inHand.set(claim.id, held);
    try {
      const asked: HeldClaim = { ...claim, isHeld: () => performance.now() < held.leaseEndsAt };
      await sendSchedule(parts, asked);
    } finally {
      inHand.delete(claim.id);
    }
    return true;
  }

  const loop = startWorkerLoop({
    name: 'send-due',
    work,
    pollMs: timings.pollMs,
    concurrency: sendsAtOnceMax,
    log,
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      clearInterval(renewal);
    },
  };
}
