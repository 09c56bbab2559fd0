import type { AutomationDeps } from '../deps.ts';
import { type Claim, claimDeliveries as claim } from '../queries/claim-deliveries.ts';
import { releaseDeliveries, renewLeases } from '../queries/deliveries.ts';
import { windowStart } from '../rules/endpoint-window.ts';

/** A killed worker's deliveries are taken over after at most this and one poll, 8 s. */
export const leaseMs = 6_000;

type ClaimDeps = Pick<AutomationDeps, 'queue' | 'now'>;

export type ClaimBounds = {
  /** Names this process in the leases. */
  token: string;
  /** How many more of an endpoint may be claimed; `windowStart` for an endpoint that is not named. */
  room: ReadonlyMap<string, number>;
  limit: number;
  /** `walkedTo` of the claim before, '' at first. */
  walkAfter: string;
};

/** Claims due deliveries under a lease. @returns them, and the time that the claim was made for. */
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

/** Gives back claimed deliveries that were not begun. */
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
