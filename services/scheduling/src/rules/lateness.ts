import type { Timings } from '../timings.ts';

type Run = { scheduledFor: Date; heldSince?: Date | null };

/** The time after which a schedule is not sent. One that was held may have waited for a person. */
export function lastMomentOf(
  { scheduledFor, heldSince }: Run,
  { lateMaxMs, holdMs }: Pick<Timings, 'lateMaxMs' | 'holdMs'>,
): number {
  return scheduledFor.getTime() + (heldSince ? holdMs : lateMaxMs);
}

/** A schedule that was put off until its last moment is claimed after it. */
export function isMissed(
  row: Run & { tries: number; resends: number },
  timings: Pick<Timings, 'lateMaxMs' | 'holdMs' | 'tryPauseMaxMs'>,
  now: Date,
): boolean {
  const graceMs = row.tries + row.resends > 0 ? timings.tryPauseMaxMs : 0;
  return now.getTime() > lastMomentOf(row, timings) + graceMs;
}
