import { dayMs } from '@hookline/shared/kernel/durations';

export const defaultWindowDays = 30;

/** Start of the window: midnight UTC, `windowDays` − 1 days before the current UTC day (D-33). */
export function windowStart(now: Date, windowDays: number): Date {
  const midnightMs = Math.floor(now.getTime() / dayMs) * dayMs;
  return new Date(midnightMs - (windowDays - 1) * dayMs);
}
