import { invalidRequest } from '@hookline/shared/contracts';
import { type SeriesDay, seriesDaysMax } from '@hookline/shared/contracts/analytics';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Counts } from './history.rules.ts';

/** Days of a window and of a series if the caller names none. */
export const defaultDays = 30;

/**
 * The days of a series, both included; the last one is today at the latest.
 * @throws ApiError `invalid_request` for more than 366 days or an end before the beginning
 */
export function readRange(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string; to: string } {
  const today = dayOf(now.getTime());
  const last = asked.to ?? (asked.from !== undefined && asked.from > today ? asked.from : today);
  const from = asked.from ?? dayOf(Date.parse(last) - (defaultDays - 1) * dayMs);
  if (from > last) throw invalidRequest('to must be the day of from or a later one');
  if ((Date.parse(last) - Date.parse(from)) / dayMs >= seriesDaysMax) {
    throw invalidRequest(`from must be at most ${seriesDaysMax - 1} days before to`);
  }
  // biome-ignore lint/complexity/useMathMinMax: days are text.
  return { from, to: last < today ? last : today };
}

/** One row per day. A day without a row repeats the numbers before it. */
export function fillDays(
  { from, to }: { from: string; to: string },
  totals: readonly (Counts & { day: string })[],
  published: readonly { day: string; posts: number }[],
): SeriesDay[] {
  const totalsOf = new Map(totals.map(row => [row.day, row]));
  const postsOf = new Map(published.map(row => [row.day, row.posts]));
  const days: SeriesDay[] = [];
  let latest: Counts = { views: 0, likes: 0, comments: 0 };
  let posts = 0;
  // The day before has what was before.
  for (let ms = Date.parse(from) - dayMs; ms <= Date.parse(to); ms += dayMs) {
    const day = dayOf(ms);
    latest = totalsOf.get(day) ?? latest;
    posts += postsOf.get(day) ?? 0;
    const { views, likes, comments } = latest;
    if (day >= from) days.push({ day, views, likes, comments, posts });
  }
  return days;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Start of the window: midnight UTC, `windowDays` − 1 days before the current UTC day (D-33). */
export function windowStart(now: Date, windowDays: number): Date {
  const midnightMs = Math.floor(now.getTime() / dayMs) * dayMs;
  return new Date(midnightMs - (windowDays - 1) * dayMs);
}
