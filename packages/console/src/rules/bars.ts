/** Views over a window as few enough bars to read each on a phone. */
import { dayMs } from './durations.ts';

export type BarSize = 'day' | 'week' | 'month';
/** `from`: its first day in UTC, `YYYY-MM-DD`. */
export type Bar = { from: string; value: number };

export function sizeFor(days: number): BarSize {
  if (days <= 7) return 'day';
  return days <= 90 ? 'week' : 'month';
}

/** A bar for each day, week from Monday, or month between the two days, those without a row included. */
export function barsOf(
  rows: readonly { day: string; views: number }[],
  { from, to, size }: { from: string; to: string; size: BarSize },
): Bar[] {
  const sums = new Map<string, number>();
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) sums.set(startOf(ms, size), 0);
  for (const { day, views } of rows) {
    const start = startOf(Date.parse(day), size);
    sums.set(start, (sums.get(start) ?? 0) + views);
  }
  return [...sums].map(([start, value]) => ({ from: start, value }));
}

function startOf(ms: number, size: BarSize): string {
  const date = new Date(ms);
  if (size === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (size === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}
