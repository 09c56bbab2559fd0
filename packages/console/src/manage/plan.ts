import { manageTexts } from '../texts/manage.ts';
import type { PostingTime } from './queries.ts';

export type Weekday = PostingTime['days'][number];
export const weekdays = [
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
] as const satisfies readonly Weekday[];

/** Times of day that people look at TikTok, then every hour. */
const goodTimes = ['18:00', '12:00', '08:00', '20:00'];
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** A time that a plan does not have yet. */
export function nextTime(times: readonly PostingTime[]): string {
  return [...goodTimes, ...hours].find(hour => times.every(({ time }) => time !== hour)) ?? '';
}

const words = manageTexts.automations;

export function inOrder<T extends Pick<PostingTime, 'time'>>(times: readonly T[]): T[] {
  return times.toSorted((a, b) => a.time.localeCompare(b.time));
}

/** "Mon, Thu 08:30 · every day 12:00, 18:00". */
export function planText(times: readonly PostingTime[]): string {
  return [...Map.groupBy(inOrder(times), ({ days }) => daysText(days))]
    .map(([days, found]) => `${days} ${found.map(({ time }) => time).join(', ')}`)
    .join(' · ');
}

function daysText(days: readonly Weekday[]): string {
  if (days.length === weekdays.length) return words.everyDay;
  const working = weekdays.slice(0, 5);
  if (days.length === working.length && working.every(day => days.includes(day))) return words.weekdaysOnly;
  return weekdays
    .filter(day => days.includes(day))
    .map(day => words.weekdays[day])
    .join(', ');
}
