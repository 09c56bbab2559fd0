import { findNextDueAt } from '../deliveries/queries-queue.ts';
import type { AutomationDeps } from '../deps.ts';
import { windowStart } from './endpoint-window.rules.ts';
import {
  type Claim,
  type ClaimOptions,
  claimDeliveries as claim,
  queueAgain,
  releaseDeliveries,
  renewLeases,
} from './queries.ts';

/** Another process takes over a killed worker's deliveries after at most this plus one poll, 8 s. */
export const leaseMs = 6_000;

type ClaimDeps = Pick<AutomationDeps, 'db' | 'now'>;

export async function claimDeliveries(
  { db, now }: ClaimDeps,
  bounds: Pick<ClaimOptions, 'token' | 'room' | 'limit'>,
): Promise<Claim & { at: Date }> {
  const at = now();
  const claimed = await claim(db, { ...bounds, now: at, leaseUntil: leaseEnd(at), roomElse: windowStart });
  return { ...claimed, at };
}

/** @returns when the next endpoint is due, null if none waits */
export function endClaim(
  { db }: Pick<AutomationDeps, 'db'>,
  { webhookIds, at }: Pick<Claim, 'webhookIds'> & { at: Date },
): Promise<Date | null> {
  if (webhookIds.length === 0) return findNextDueAt(db, at);
  return db.transaction(tx => queueAgain(tx, webhookIds, at));
}

/** @returns the ids of the claims that this process still holds */
export function renewClaims(
  { db, now }: ClaimDeps,
  ids: readonly string[],
  token: string,
): Promise<string[]> {
  return renewLeases(db, ids, { token, leaseUntil: leaseEnd(now()) });
}

export function releaseClaims({ db, now }: ClaimDeps, ids: readonly string[], token: string): Promise<void> {
  return releaseDeliveries(db, ids, { token, now: now() });
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}
