import { findLastSequences } from '@hookline/shared/bus';
import { listOpenPermits, reconcilePageMax, releasePermits } from '@hookline/shared/contracts/internal';
import type { SchedulingDeps } from '../deps.ts';
import { countReleasedPermits } from '../metrics.ts';
import { permitOutcome } from '../schedules/states.rules.ts';
import { listScheduleStates } from './queries.ts';

/** The permit to continue after. */
export type PermitCursor = { grantedAt: string; scheduleId: string };

/**
 * Compares permits that content has held open for over 30 minutes with their schedules, and releases those
 * that are not being sent: the event that reports it was lost. One page per call.
 * @returns the permit to continue after; null at the end.
 * @throws ApiError if content cannot be reached.
 */
export async function reconcilePermits(
  { db, peers }: Pick<SchedulingDeps, 'db' | 'peers'>,
  after: PermitCursor | null,
): Promise<PermitCursor | null> {
  const { permits } = await peers.call(listOpenPermits, { body: { after } });
  const ids = permits.map(permit => permit.scheduleId);
  // Sequences are read before states: an event in between makes a state newer than its sequence, so the
  // release has no effect.
  const sequences = await findLastSequences(db, 'schedule', ids);
  const states = new Map((await listScheduleStates(db, ids)).map(({ id, status }) => [id, status]));
  const ends = ids.flatMap(scheduleId => {
    const outcome = permitOutcome(states.get(scheduleId) ?? null);
    if (outcome === null) return [];
    // A withdrawn schedule will not ask for a permit again.
    const sequence = states.has(scheduleId) ? (sequences.get(scheduleId) ?? 0) : Number.MAX_SAFE_INTEGER;
    return [{ scheduleId, outcome, sequence }];
  });
  if (ends.length > 0) {
    const { released } = await peers.call(releasePermits, { body: { ends } });
    countReleasedPermits(released.length);
  }
  return permits.length === reconcilePageMax ? (permits.at(-1) ?? null) : null;
}
