/**
 * Times are shown in the zone of the workspace, never in that of the device, and the
 * zone is named with them.
 */
import { dayMs } from './rules/durations.ts';
import { addDays } from './rules/month.ts';

/**
 * English, as the texts are, in the variant of the browser: "Mon 23 Nov" or "Mon, Nov 23". What Chromium calls a
 * language may be none, such as en-US@posix.
 */
export function locale(): string {
  return navigator.languages.find(tag => /^en(-\w+)*$/.test(tag)) ?? 'en-GB';
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat(locale(), { ...options, timeZone: zone });
    formats.set(key, made);
  }
  return made;
}

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** "Mon 23 Nov, 08:30", with the year when it is not this one. */
export function dayAndTime(iso: string, zone: string): string {
  return dayName(iso, zone, time);
}

/** "Mon 23 Nov", with the year when it is not this one. */
export function dayName(iso: string, zone: string, more: Intl.DateTimeFormatOptions = {}): string {
  const [date, now] = [new Date(iso), new Date()];
  const yearOf = format(zone, { year: 'numeric' });
  const year = yearOf.format(date) === yearOf.format(now) ? {} : { year: 'numeric' as const };
  return format(zone, { weekday: 'short', day: 'numeric', month: 'short', ...more, ...year }).format(date);
}

/**
 * Times in a text of the server, such as "for 2026-11-23T07:30:00.000Z, draft", as `dayAndTime` shows them.
 */
export function timesIn(text: string, zone: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, iso =>
    Number.isNaN(Date.parse(iso)) ? iso : dayAndTime(iso, zone),
  );
}

export function clock(iso: string, zone: string): string {
  return format(zone, time).format(new Date(iso));
}

/** The calendar day of a time in a zone, as YYYY-MM-DD. */
export function dayOf(iso: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return parts.format(new Date(iso));
}

/** A time in the zone, YYYY-MM-DDTHH:MM. */
export function toLocal(iso: string, zone: string): string {
  return `${dayOf(iso, zone)}T${clockOf(iso, zone)}`;
}

function clockOf(iso: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));
}

export const isClock = (typed: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(typed);

/** "930", "9.30", "9:30" and "9:30 am" as 09:30, "9" as 09:00. @returns what was typed where it is no time */
export function clockFrom(typed: string): string {
  const form = /^(\d{1,2}?)\D?(\d\d)?(?: ?([ap])\.?m\.?)?$/i;
  const [, hours = '24', minutes = '00', half] = form.exec(typed.trim()) ?? [];
  const isHour = half ? /^(0?[1-9]|1[0-2])$/.test(hours) : Number(hours) < 24;
  if (!isHour || Number(minutes) > 59) return typed;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hours;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/**
 * The time at which clocks in `zone` show `local`. Of a time that a clock shows twice, the first; one that is
 * skipped moves by the length of the gap, as calendars do.
 * @param local YYYY-MM-DDTHH:MM
 * @param shown times that a form offers, each of which may be the second of the two
 * @returns null unless `local` is a time of the years 1000 to 9999: a year that is still
 * being typed is 0002 or 20266
 */
export function fromLocal(
  local: string,
  zone: string,
  ...shown: readonly (string | undefined)[]
): string | null {
  const offered = shown.find(at => at !== undefined && toLocal(at, zone) === local);
  if (offered !== undefined) return offered;
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return null;
  const asUtcMs = Date.parse(`${local}:00Z`);
  if (Number.isNaN(asUtcMs)) return null;
  // The offsets before and after any change on that day.
  const before = asUtcMs - offsetMs(asUtcMs - dayMs, zone);
  const after = asUtcMs - offsetMs(asUtcMs + dayMs, zone);
  const shows = (ms: number) => !Number.isNaN(ms) && ms + offsetMs(ms, zone) === asUtcMs;
  const found = shows(before) ? before : shows(after) ? after : before;
  const iso = Number.isNaN(found) ? '' : new Date(found).toISOString();
  // A year of five digits is written as +010000.
  return /^\d{4}-/.test(iso) ? iso : null;
}

function offsetMs(ms: number, zone: string): number {
  const iso = new Date(ms).toISOString();
  return Date.parse(`${toLocal(iso, zone)}:00Z`) - Math.floor(ms / 60_000) * 60_000;
}

/** Is at this time of day or another. A day on which summer time begins or ends has 23 or 25 hours. */
export function tomorrow(zone: string, clock?: string, nowMs = Date.now()): string {
  const [day = '', present] = toLocal(new Date(nowMs).toISOString(), zone).split('T');
  return `${addDays(day, 1)}T${clock ?? present}`;
}

/** "in 3 hours", "2 days ago". */
export function relative(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ];
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
  }
  return words.format(Math.round(seconds), 'second');
}

/** Whether clocks in both show the same, in summer and in winter. */
export function showSameClock(zone: string, other: string, nowMs = Date.now()): boolean {
  return [nowMs, nowMs + 182 * dayMs].every(ms => offsetMs(ms, zone) === offsetMs(ms, other));
}

export function deviceZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
