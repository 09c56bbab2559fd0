/**
 * A posting time is a wall clock time in the automation's zone. Its slot is the earliest instant at which
 * that clock has reached it (D-12): a time inside the spring gap is the first instant after the gap, and a
 * repeated hour counts the first time.
 */
import { type PostingTime, type Weekday, weekdays } from '@hookline/shared/contracts/automations';
import { dayMs, hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { DateTime, IANAZone } from 'luxon';

/** A slot missed by at most this long still fires; an older one is recorded as skipped (D-12). */
export const catchUpMs = 15 * minuteMs;

export type PostingPlan = { postingTimes: readonly PostingTime[]; timezone: string };

/** True for a name of the IANA database; false for offsets such as `+02:00`. */
export function isTimezone(name: string): boolean {
  return /^[A-Za-z][\w+/-]*$/.test(name) && IANAZone.isValidZone(name);
}

/** @returns the first slot strictly after an instant; a plan has at least one time and day */
export function nextSlot(plan: PostingPlan, after: Date): Date {
  const zone = IANAZone.create(plan.timezone);
  const afterMs = after.getTime();
  const here = DateTime.fromMillis(afterMs, { zone });
  const today = Date.UTC(here.year, here.month - 1, here.day);
  // A skipped day (Apia, 2011-12-30) moves slots from two days back. Ten days ahead cover every weekday.
  for (let day = -2; day <= 10; day += 1) {
    const midnight = today + day * dayMs;
    for (const wallMs of wallTimesOf(plan.postingTimes, midnight)) {
      const instant = firstInstantAt(zone, wallMs);
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

export function localTime(slot: Date, timezone: string): string {
  return DateTime.fromJSDate(slot, { zone: timezone }).toISO() ?? slot.toISOString();
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

function firstInstantAt(zone: IANAZone, wallMs: number): number {
  const clockAt = (instant: number): number => instant + zone.offset(instant) * minuteMs;
  // Offsets are between -12 h and +14 h, so these two instants have those on both sides of the wall time.
  const around = [zone.offset(wallMs - 15 * hourMs), zone.offset(wallMs + 13 * hourMs)];
  const exact = around
    .map(offset => wallMs - offset * minuteMs)
    .filter(instant => clockAt(instant) === wallMs);
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
