/**
 * The reference for slot arithmetic: computed with Temporal (temporal-polyfill). Both read the time zone
 * tables of the runtime's ICU.
 */
import { type PostingTime, weekdays } from '@hookline/shared/contracts/posting-times';
import { Temporal } from 'temporal-polyfill';

/** Every zone name that the runtime knows, and older names that are still in use. */
export const allZones: readonly string[] = [
  ...new Set([
    ...Intl.supportedValuesOf('timeZone'),
    ...['UTC', 'GMT', 'Etc/UTC', 'US/Eastern', 'US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev'],
    ...['Europe/Kyiv', 'America/Buenos_Aires', 'Asia/Saigon', 'Pacific/Ponape', 'America/Godthab', 'Egypt'],
    ...['Australia/ACT', 'NZ', 'NZ-CHAT', 'Iran', 'Israel', 'Etc/GMT+12', 'Etc/GMT-14', 'Antarctica/Troll'],
  ]),
];

/** Instants between two others at which the zone's clocks change. */
export function changesOf(zone: string, from: Date, to: Date): Date[] {
  const changes: Date[] = [];
  let at = zoned(from, zone).getTimeZoneTransition('next');
  while (at && at.epochMilliseconds < to.getTime()) {
    changes.push(new Date(at.epochMilliseconds));
    at = at.getTimeZoneTransition('next');
  }
  return changes;
}

/** A time that occurs twice fires first, one in a gap at its end (D-12). */
function slotOn(zone: string, day: Temporal.PlainDate, time: string): number {
  const wall = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds;
  // Inside a gap "earlier" is before the change: the next change is the end of the gap.
  const end = earlier.getTimeZoneTransition('next');
  if (!end) throw new Error(`${zone} has a gap at ${wall} and no change after it`);
  return end.epochMilliseconds;
}

/** The slots of a plan in (after, until], ascending, each once. */
export function slotsBetween(
  plan: { postingTimes: readonly PostingTime[]; timezone: string },
  after: Date,
  until: Date,
): Date[] {
  const slots = new Set<number>();
  const last = zoned(until, plan.timezone).toPlainDate().add({ days: 2 });
  let day = zoned(after, plan.timezone).toPlainDate().subtract({ days: 2 });
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const name = weekdays[day.dayOfWeek - 1];
    for (const { time, days } of plan.postingTimes) {
      if (!days.includes(name as (typeof weekdays)[number])) continue;
      const slot = slotOn(plan.timezone, day, time);
      if (slot > after.getTime() && slot <= until.getTime()) slots.add(slot);
    }
  }
  return [...slots].sort((left, right) => left - right).map(ms => new Date(ms));
}

function zoned(at: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
}
