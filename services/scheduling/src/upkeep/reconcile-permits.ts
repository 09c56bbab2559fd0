import { findLastSequences } from '@hookline/shared/bus';
import { listOpenPermits, reconcilePageMax, releasePermits } from '@hookline/shared/contracts/internal';
import type { SchedulingDeps } from '../deps.ts';
import { countReleasedPermits } from '../metrics.ts';
import { permitOutcome } from '../schedules/states.rules.ts';
import { listScheduleStates } from './queries.ts';

export type PermitCursor = { grantedAt: string; scheduleId: string };

/**
 * Content has held these permits open for over 30 minutes: the event that ends some of them was lost.
 * @returns the permit to continue after; null at the end.
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
