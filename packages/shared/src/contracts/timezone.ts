/** Names of the IANA database and their clocks. */

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The database has 600 names, but callers may write each of them in any case. */
const clocksMax = 1_000;

/** @throws RangeError for a zone that is not known */
export function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known) return known;
  const numeric = 'numeric';
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  if (clocks.size >= clocksMax) clocks.clear();
  clocks.set(timezone, clock);
  return clock;
}

/** True for a name of the IANA database; false for offsets such as `+02:00`. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}
