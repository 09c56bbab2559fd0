/** Times as people write them: `tomorrow 9:00`, `fri 18:30`, `in 2 hours`, ISO 8601. */
import { usage } from './failure.ts';

/** @property note something that the person should know about the time, such as a clock that is set back */
export type When = { at: Date; note: string | null };

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** Minute, hour, day, week. */
const unitsMs = [60_000, 3_600_000, 86_400_000, 604_800_000];
const forms = '"tomorrow 9:00", "fri 18:30", "in 2 hours", "2026-12-24 09:00" or an ISO 8601 time';

type Wall = { year: number; month: number; day: number; hour: number; minute: number };

export function checkZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw usage(`"${zone}" is not a time zone; one looks like Europe/Berlin.`);
  }
}

export function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function wallOf(at: Date, zone: string): Wall {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const number = (type: string): number => Number(parts.find(part => part.type === type)?.value);
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
  };
}

const asUtc = (wall: Wall): number => Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);

/** The instants at which clocks of the zone show this time: none in a gap, two where clocks are set back. */
function instantsOf(wall: Wall, zone: string): Date[] {
  const shown = asUtc(wall);
  // Zones are between UTC-12 and UTC+14; clocks move at most once in between.
  const offsets = [-14, 0, 14].map(hours => {
    const near = new Date(shown + hours * 3_600_000);
    return asUtc(wallOf(near, zone)) - Math.floor(near.getTime() / 60_000) * 60_000;
  });
  const candidates = [...new Set(offsets)].map(offset => new Date(shown - offset));
  return candidates
    .filter(at => asUtc(wallOf(at, zone)) === shown)
    .sort((left, right) => left.getTime() - right.getTime());
}

/** @returns of a time that comes twice, the one that is to come next */
function inZone(wall: Wall, zone: string, now: Date): When {
  const instants = instantsOf(wall, zone);
  const at = instants.find(instant => instant > now) ?? instants[0];
  if (at === undefined) {
    throw usage(`${wallText(wall)} does not exist in ${zone}: clocks are set forward then.`);
  }
  const which = at === instants[0] ? 'first' : 'second';
  const twice = `${wallText(wall)} comes twice in ${zone}; this is the ${which}.`;
  return { at, note: instants.length > 1 ? twice : null };
}

const two = (value: number): string => String(value).padStart(2, '0');
const wallText = ({ year, month, day, hour, minute }: Wall): string =>
  `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;

function readTime(text: string): { hour: number; minute: number } | null {
  const match = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?$/.exec(text);
  if (match === null || (match[2] === undefined && match[3] === undefined)) return null;
  const [, hours, minutes = '0', half] = match;
  let hour = Number(hours);
  const minute = Number(minutes);
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  if (half !== undefined) hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  return hour > 23 || minute > 59 ? null : { hour, minute };
}

/**
 * @returns days from today, and whether the day may be the next one when the time has passed; null: not a day
 */
function readDay(word: string, today: Wall): { days: number; week: boolean } | null {
  if (word === 'today') return { days: 0, week: false };
  if (word === 'tomorrow') return { days: 1, week: false };
  const named = dayNames.findIndex(name => word.length >= 3 && name.startsWith(word));
  if (named < 0) return null;
  const now = new Date(asUtc(today)).getUTCDay();
  return { days: (named - now + 7) % 7, week: true };
}

/**
 * @param zone of times that name none
 * @throws Failure `usage`
 */
export function parseWhen(text: string, now: Date, zone: string): When {
  const given = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(' at ', ' ');
  if (given === 'now') return { at: now, note: null };
  const relative = /^(?:in |\+) ?(\d{1,4}) ?(?:(m|mins?|minutes?)|(h|hours?)|(d|days?)|(w|weeks?))$/.exec(
    given,
  );
  if (relative) {
    const [, count, ...found] = relative;
    const unit = unitsMs[found.findIndex(Boolean)] ?? 0;
    return { at: new Date(now.getTime() + Number(count) * unit), note: null };
  }
  const today = wallOf(now, zone);
  const dated = /^(\d{4})-(\d{2})-(\d{2})[t ](.+)$/.exec(given);
  if (dated) return readDated(text, dated, zone, now);
  const [word = '', ...rest] = given.split(' ');
  const day = readDay(word, today);
  const time = readTime(day === null ? given : rest.join(' '));
  if (time === null) throw usage(`"${text}" is not a time: write ${forms}.`);
  const wallIn = (days: number): Wall => {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + days));
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...time };
  };
  const first = wallIn(day?.days ?? 0);
  // A time that has passed may be one that clocks skipped, or come again.
  const mayCome = asUtc(first) > asUtc(today) || instantsOf(first, zone).length > 1;
  const next = mayCome ? inZone(first, zone, now) : null;
  if (next && next.at > now) return next;
  if (day === null) return inZone(wallIn(1), zone, now);
  if (day.week) return inZone(wallIn(day.days + 7), zone, now);
  throw usage(`"${text}" has passed.`);
}

function readDated(
  text: string,
  [, year, month, day, rest = '']: RegExpExecArray,
  zone: string,
  now: Date,
): When {
  const wrong = () => usage(`"${text}" is not a time: write ${forms}.`);
  const wall = { year: Number(year), month: Number(month), day: Number(day) };
  const isDay = new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDate() === wall.day;
  if (!isDay || wall.month > 12) throw wrong();
  if (/(?:z|[+-]\d{2}:?\d{2})$/.test(rest)) {
    const at = new Date(text.trim().replace(/^(\S+)\s+/, '$1T'));
    if (Number.isNaN(at.getTime())) throw wrong();
    return { at, note: null };
  }
  const time = readTime(rest.replace(/^(\d{2}:\d{2}):\d{2}(\.\d+)?$/, '$1'));
  if (time === null) throw wrong();
  return inZone({ ...wall, ...time }, zone, now);
}

/** `Tue 24 Nov 2026, 09:00 Europe/Berlin`. */
export function inWords(at: Date, zone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at);
  return `${text} ${zone}`;
}

/** `24 Nov 09:00:07` in the zone of the machine, for lists and logs. */
export function clock(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${wallText(wallOf(at, systemZone()))}:${two(at.getUTCSeconds())}`;
}

/** `3 min ago`, `in 2 h`. */
export function distance(iso: string, now: Date): string {
  const ms = new Date(iso).getTime() - now.getTime();
  const size = Math.abs(ms);
  if (size < 1_000) return 'now';
  const steps: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ];
  const [unit, name] = steps.find(([length]) => size >= length) ?? [1000, 's'];
  const amount = `${Math.round(size / unit)} ${name}`;
  return ms > 0 ? `in ${amount}` : `${amount} ago`;
}
