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
  const { timezone } = plan;
  const afterMs = after.getTime();
  const today = Math.floor((afterMs + offsetMs(timezone, afterMs)) / dayMs) * dayMs;
  // A skipped day (Apia, 2011-12-30) moves slots from two days back. Ten days ahead cover every weekday.
  for (let day = -2; day <= 10; day += 1) {
    const midnight = today + day * dayMs;
    for (const wallMs of wallTimesOf(plan.postingTimes, midnight)) {
      const instant = firstInstantAt(timezone, wallMs);
      if (instant > afterMs) return new Date(instant);
    }
  }
  throw new Error('a posting plan without a slot');
}

export function nextSlots(plan: PostingPlan, after: Date, count: number): Date[] {
  const slots: Date[] = [];
  for (let last = after; slots.length < count; ) {
    last = nextSlot(plan, last);
    slots.push(last);
  }
  return slots;
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

/** How far the zone's clock is ahead of UTC at an instant. */
function offsetMs(timezone: string, instant: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockOf(timezone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}
