import type { SchedulingDeps } from '../deps.ts';
import { nextPollAt } from '../timings.ts';
import { type Claimed, claimDue, type HeldClaim } from './claim.ts';
import { findOutlook, renewLeases } from './queries.ts';

// Most sends are waiting for content or the platform.
const sendsAtOnceMax = 128;
// The next ones are claimed while half of them are sent.
const claimsAtOnceMax = 64;

type InFlight = { claim: Claimed; leaseEndsAt: number };

export type DueSends = {
  start(): void;
  /** The end of each send calls `wake`. */
  work(): Promise<boolean | Date>;
  stop(): Promise<void>;
};

/** Claims nothing until the watch is ready, nor while the database's clock has jumped. */
export function createDueSends(
  deps: Pick<SchedulingDeps, 'db' | 'log' | 'now' | 'timings' | 'clockIsSteady'> & {
    watch: { isReady(): boolean };
  },
  send: (claim: HeldClaim) => Promise<void>,
  wake: () => void,
): DueSends {
  const { db, log, timings, watch, clockIsSteady } = deps;
  const inFlight = new Map<string, InFlight>();
  const sends = new Set<Promise<void>>();
  let renewal: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    const claims = [...inFlight.values()].map(({ claim }) => claim);
    try {
      for (const { id, fence } of await renewLeases(db, claims, timings.leaseMs)) {
        const held = inFlight.get(id);
        if (held?.claim.fence === fence) held.leaseEndsAt = askedAt + timings.leaseMs;
      }
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }

  /** Continues without another query while there is plenty. @returns the number claimed. */
  async function claim(): Promise<number> {
    for (let total = 0; ; ) {
      const countMax = Math.min(sendsAtOnceMax - inFlight.size, claimsAtOnceMax);
      const claimedAt = performance.now();
      const claims = countMax > 0 ? await claimDue(deps, countMax) : [];
      for (const claim of claims) begin({ claim, leaseEndsAt: claimedAt + timings.leaseMs });
      total += claims.length;
      if (claims.length < countMax || countMax <= 0) return total;
    }
  }

  function begin(held: InFlight): void {
    const { claim } = held;
    inFlight.set(claim.id, held);
    const sent = send({ ...claim, hasLease: () => performance.now() < held.leaseEndsAt })
      .catch(error => log.error({ err: error, schedule: claim.id }, 'a send failed'))
      .finally(() => {
        // A later claim of the same schedule has a separate entry.
        if (inFlight.get(claim.id) === held) inFlight.delete(claim.id);
        sends.delete(sent);
        wake();
      });
    sends.add(sent);
  }

  return {
    start() {
      // One statement renews all leases. A claim that is not renewed in time starts no further call.
      renewal = setInterval(() => {
        if (inFlight.size > 0) void renew();
      }, timings.leaseRenewalMs);
    },
    async work() {
      // The end of a send wakes this loop.
      if (inFlight.size >= sendsAtOnceMax || !watch.isReady() || !clockIsSteady()) return false;
      const outlook = await findOutlook(db);
      if (!outlook.isDue) return nextPollAt(outlook.nextInMs, Date.now());
      return (await claim()) > 0 ? true : nextPollAt(outlook.nextInMs, Date.now());
    },
    async stop() {
      await Promise.all(sends);
      clearInterval(renewal);
    },
  };
}
