/**
 * A posting time is a wall clock time in a zone. Its slot is the earliest instant at which that clock has
 * reached it (D-12): a time inside the spring gap is the first instant after the gap, and a repeated hour
 * counts the first time.
 */
import { type PostingTime, type Weekday, weekdays } from '../../contracts/posting-times.ts';
import { clockOf } from '../../contracts/timezone.ts';
import { dayMs, hourMs, minuteMs } from './durations.ts';

export type PostingPlan = { postingTimes: readonly PostingTime[]; timezone: string };

/** @returns the first slot strictly after an instant; a plan has at least one time and day */
export function nextSlot(plan: PostingPlan, after: Date): Date {
  for (const slot of slotsAfter(plan, after)) return slot;
  throw new Error('a posting plan without a slot');
}

export function nextSlots(plan: PostingPlan, after: Date, count: number): Date[] {
  return slotsAfter(plan, after).take(count).toArray();
}

/** All slots strictly after an instant, each once; none of a plan without a time or day. */
export function* slotsAfter({ postingTimes, timezone }: PostingPlan, after: Date): Generator<Date> {
  let lastMs = after.getTime();
  const today = Math.floor((lastMs + offsetMs(timezone, lastMs)) / dayMs) * dayMs;
  // A skipped day (Apia, 2011-12-30) moves slots from two days back. Twelve days have every weekday.
  for (let midnight = today - 2 * dayMs, idle = 0; idle <= 12; midnight += dayMs, idle += 1) {
    const offset = offsetMs(timezone, midnight - 15 * hourMs);
    const isSteady = offset === offsetMs(timezone, midnight + dayMs + 13 * hourMs);
    for (const wallMs of wallTimesOf(postingTimes, midnight)) {
      const instant = isSteady ? wallMs - offset : firstInstantAt(timezone, wallMs);
      if (instant <= lastMs) continue;
      [lastMs, idle] = [instant, 0];
      yield new Date(instant);
    }
  }
}

/** Times are ascending, and represented as if the zone were UTC. */
function wallTimesOf(postingTimes: readonly PostingTime[], midnight: number): number[] {
  // getUTCDay counts from Sunday, the names from Monday.
  const weekday = weekdays[(new Date(midnight).getUTCDay() + 6) % 7] as Weekday;
  return postingTimes
    .filter(({ days }) => days.includes(weekday))
    .map(({ time }) => midnight + Number(time.slice(0, 2)) * hourMs + Number(time.slice(3)) * minuteMs)
    .sort((left, right) => left - right);
}

function firstInstantAt(timezone: string, wallMs: number): number {
  const clockAt = (instant: number): number => instant + offsetMs(timezone, instant);
  // Offsets are between -12 h and +14 h, so these two instants have those on both sides of the wall time.
  const around = [offsetMs(timezone, wallMs - 15 * hourMs), offsetMs(timezone, wallMs + 13 * hourMs)];
  const exact = around.map(offset => wallMs - offset).filter(instant => clockAt(instant) === wallMs);
  if (exact.length > 0) return Math.min(...exact);
  // Clocks are behind before a gap and ahead after it, so bisection finds its end.
  let before = wallMs - 15 * hourMs;
  let reached = wallMs + 13 * hourMs;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (clockAt(middle) >= wallMs) reached = middle;
    else before = middle;
  }
  return reached;
}

/** An instant on the clocks of the zone: `2026-11-23T09:00:00.000+01:00`. */
export function localTime(instant: Date, timezone: string): string {
  const offset = offsetMs(timezone, instant.getTime());
  const wall = new Date(instant.getTime() + offset).toISOString();
  if (offset === 0) return wall;
  const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${wall.slice(0, -1)}${offset < 0 ? '-' : '+'}${ahead}`;
}

/** How far the zone's clock is ahead of UTC at an instant. */
function offsetMs(timezone: string, instant: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(timezone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}
