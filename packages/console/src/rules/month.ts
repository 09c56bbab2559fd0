/** Days of a calendar as YYYY-MM-DD, without times and zones. */
import { dayMs } from './durations.ts';

export const views = ['month', 'week', 'day'] as const;
export type View = (typeof views)[number];

const asDate = (day: string) => new Date(`${day}T00:00:00Z`);

export function addDays(day: string, count: number): string {
  return new Date(asDate(day).getTime() + count * dayMs).toISOString().slice(0, 10);
}

function addMonths(day: string, count: number): string {
  const date = asDate(day);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 10);
}

/** The Monday of the week of a day. */
export function weekStart(day: string): string {
  return addDays(day, -((asDate(day).getUTCDay() + 6) % 7));
}

/** A view shows seven days from the given one, or whole weeks from the first of a month to the first of the next. */
export function daysOf(view: View, day: string): string[] {
  if (view === 'day') return [day];
  if (view === 'week') return Array.from({ length: 7 }, (_, index) => addDays(day, index));
  const first = `${day.slice(0, 7)}-01`;
  const begin = weekStart(first);
  const next = addMonths(first, 1);
  const weeks = 1 + Math.floor((asDate(next).getTime() - asDate(begin).getTime()) / (7 * dayMs));
  return Array.from({ length: weeks * 7 }, (_, index) => addDays(begin, index));
}

/** The same view one step earlier or later. */
export function step(view: View, day: string, by: 1 | -1): string {
  if (view === 'month') return addMonths(day, by);
  return addDays(day, view === 'week' ? 7 * by : by);
}
