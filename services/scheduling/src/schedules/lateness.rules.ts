import type { Timings } from '../timings.ts';

type Run = { scheduledFor: Date; heldSince?: Date | null; mode?: string };

/**
 * A schedule that was held may have waited for a person. What is due on a phone may be held days after its
 * time, and is handed over however late it is.
 */
export function lastMomentOf(
  { scheduledFor, heldSince, mode }: Run,
  { lateMaxMs, holdMs }: Pick<Timings, 'lateMaxMs' | 'holdMs'>,
): number {
  const from = (mode === 'phone' && heldSince) || scheduledFor;
  const unheldMs = mode === 'phone' ? Number.POSITIVE_INFINITY : lateMaxMs;
  return from.getTime() + (heldSince ? holdMs : unheldMs);
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

/** A hold has no tries. Its decision counts as one, and so does a call after it; the day of the hold stays. */
export function isHeld({
  heldSince,
  tries,
  resends,
}: {
  heldSince: Date | null;
  tries: number;
  resends: number;
}): boolean {
  return heldSince !== null && tries + resends === 0;
}

const firstPauseMs = 1_000;

/** The pause doubles from 1 s to 5 min. Nothing was sent, so waiting is safe. Null: it is too late. */
export function nextTryMs(
  { tries, ...run }: Run & { tries: number },
  timings: Pick<Timings, 'lateMaxMs' | 'holdMs' | 'tryPauseMaxMs'>,
  now: Date,
): number | null {
  const leftMs = lastMomentOf(run, timings) - now.getTime();
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(tries, 20), timings.tryPauseMaxMs);
  // The last try comes at the last moment, so that an outage that just ended is not missed.
  return leftMs > 0 ? Math.min(pauseMs, leftMs) : null;
}
