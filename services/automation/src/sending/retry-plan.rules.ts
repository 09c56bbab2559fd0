/** Pauses are those of the example in Standard Webhooks (D-25): ten attempts over 75 h 35 min 5 s. */
import { dayMs, hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import type { Failures } from '../webhooks/record.ts';

const secondMs = 1_000;

export const retryPausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  dayMs,
];

const failingMaxMs = 120 * hourMs;

// Endpoints that failed together do not return together.
const jitterShare = 0.1;
const retryAfterMaxMs = dayMs;
// These statuses ask us to slow down.
const slowDownMs = minuteMs;
const slowDownStatuses = new Set([429, 502, 504]);

export type FailedAttempt = {
  /** Attempts of this series include this one. */
  attemptsMade: number;
  responseStatus: number | null;
  retryAfterMs: number | null;
};

/** @returns milliseconds until the next attempt, or null after the last one */
export function nextPauseMs(attempt: FailedAttempt, random: number): number | null {
  const pause = retryPausesMs[attempt.attemptsMade - 1];
  if (pause === undefined) return null;
  const spread = Math.round(pause * (1 - jitterShare + 2 * jitterShare * random));
  const slow =
    attempt.responseStatus !== null && slowDownStatuses.has(attempt.responseStatus) ? slowDownMs : 0;
  const requested = Math.min(attempt.retryAfterMs ?? 0, retryAfterMaxMs);
  return Math.max(spread, slow, requested);
}

/** Parses seconds or an HTTP date. */
export function readRetryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * secondMs;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

const countedMax = 5;
const burstMs = 48 * hourMs;

/**
 * An endpoint fails too long if nothing succeeded for 5 days, and either five attempts failed within 48 h or
 * at least one on each of the last five days. A single failure after days without events does not.
 */
export function isFailingTooLong({ since, times, days }: Failures, now: Date): boolean {
  if (now.getTime() - since.getTime() < failingMaxMs) return false;
  const [oldestTime, oldestDay] = [times[countedMax - 1], days[countedMax - 1]];
  if (oldestTime && now.getTime() - oldestTime.getTime() <= burstMs) return true;
  const today = Math.floor(now.getTime() / dayMs);
  return oldestDay !== undefined && today - Math.floor(oldestDay.getTime() / dayMs) < countedMax;
}
