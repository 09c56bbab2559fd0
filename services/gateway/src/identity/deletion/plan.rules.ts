import { dayMs } from '@hookline/shared/kernel/durations';

/** A restore is possible until the deletion, so long after the request. */
export const graceMs = 7 * dayMs;

export const freshSignInMs = 10 * 60_000;

/** A service works for at most 10 s per call. */
export const reportTimeoutMs = 30_000;

/** A call takes less: a process that dies leaves it to another. */
export const reportLeaseMs = 60_000;

/** The rows are deleted once more, so that events which were still in the bus leave none behind. */
export const sweepAfterMs = dayMs;

/** Pause after a failed call: 2 s, doubled up to 5 min. @param attempts failed in a row, from 1 */
export function retryPauseMs(attempts: number): number {
  return Math.min(300_000, 1_000 * 2 ** Math.min(attempts, 10));
}

export const overdueAfterMs = dayMs;

export type Reported =
  | { kind: 'failed'; reason: string }
  | { kind: 'answered'; isDone: boolean; note: string | null };

export type NextReport = {
  /** When null, nothing is left to report. */
  dueInMs: number | null;
  attempts: number;
  /** The service has confirmed that the rows are gone. */
  isDeleted: boolean;
  note: string | null;
};

export function nextReport(
  known: { standing: 'open' | 'frozen' | 'deleted'; attempts: number; isDeleted: boolean },
  reported: Reported,
): NextReport {
  const { isDeleted } = known;
  if (reported.kind === 'failed' || (!reported.isDone && reported.note !== null)) {
    const attempts = known.attempts + 1;
    const note = reported.kind === 'failed' ? reported.reason : reported.note;
    return { dueInMs: retryPauseMs(attempts), attempts, isDeleted, note };
  }
  const { isDone, note } = reported;
  if (!isDone) return { dueInMs: 0, attempts: 0, isDeleted, note };
  if (known.standing !== 'deleted') return { dueInMs: null, attempts: 0, isDeleted: false, note };
  return { dueInMs: isDeleted ? null : sweepAfterMs, attempts: 0, isDeleted: true, note };
}
