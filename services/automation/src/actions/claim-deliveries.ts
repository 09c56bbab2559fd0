import type { AutomationDeps } from '../deps.ts';
import { type Claim, claimDeliveries as claim } from '../queries/claim-deliveries.ts';
import { releaseDeliveries, renewLeases } from '../queries/deliveries.ts';
import { windowStart } from '../rules/endpoint-window.ts';

/** Another process takes over a killed worker's deliveries after at most this plus one poll, 8 s. */
export const leaseMs = 6_000;

type ClaimDeps = Pick<AutomationDeps, 'queue' | 'now'>;

export type ClaimBounds = {
  /** Identifies this process in the leases. */
  token: string;
  /** How many more deliveries of each endpoint may be claimed; `windowStart` for endpoints not listed. */
  room: ReadonlyMap<string, number>;
  limit: number;
  /** As in the query. */
  dueAfter: Date | null;
  /** `walkedTo` of the previous claim, initially ''. */
  walkAfter: string;
};

/** Claims due deliveries under a lease. @returns the deliveries and the time of the claim. */
export async function claimDeliveries(
  { queue, now }: ClaimDeps,
  bounds: ClaimBounds,
): Promise<Claim & { at: Date }> {
  const at = now();
  const asked = { ...bounds, now: at, leaseUntil: leaseEnd(at), roomElse: windowStart };
  const claimed = await queue.transaction(tx => claim(tx, asked));
  return { ...claimed, at };
}

/** @returns the ids of the claims that this process still holds. */
export function renewClaims(
  { queue, now }: ClaimDeps,
  ids: readonly string[],
  token: string,
): Promise<string[]> {
  return renewLeases(queue, ids, token, leaseEnd(now()));
}

/** Releases claimed deliveries that were not started. */
export function releaseClaims(
  { queue, now }: ClaimDeps,
  ids: readonly string[],
  token: string,
): Promise<void> {
  return releaseDeliveries(queue, ids, token, now());
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}
