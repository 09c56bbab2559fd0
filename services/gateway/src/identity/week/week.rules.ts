import { dayMs } from '@hookline/shared/kernel/durations';
import { nextSlot } from '@hookline/shared/kernel/posting-times';
import { type MailText, quoted } from '../mail/mail.rules.ts';

/** The next Monday at 09:00 in the zone. */
export function nextMonday(now: Date, timezone: string): Date {
  return nextSlot({ timezone, postingTimes: [{ time: '09:00', days: ['mon'] }] }, now);
}

/** The week that was over when its mail was stored: from Monday 09:00 to Monday 09:00 in the zone. */
export function weekBefore(storedAt: Date, timezone: string): { since: Date; until: Date } {
  // A week in which clocks change has an hour more or less than seven days.
  const mondayBefore = (monday: Date) => nextMonday(new Date(monday.getTime() - 8 * dayMs), timezone);
  const until = mondayBefore(nextMonday(storedAt, timezone));
  return { since: mondayBefore(until), until };
}

export type Week = {
  workspace: string;
  timezone: string;
  /** The week is the seven days before it. */
  until: Date;
  consoleUrl: string;
  posted: number;
  /** How many of the posts have numbers, and their views. */
  measured: number;
  views: number;
  best: { hook: string; views: number } | null;
  /** Decks that wait for approval, and posts that are scheduled for the week to come. */
  waiting: number;
  scheduled: number;
  next: Compared | null;
  worse: Compared | null;
};
type Compared = { of: keyof typeof kinds; value: string; lift: number };

const spoken = (value: string) => quoted(value.replaceAll(/[_-]/g, ' '));
const forms: Readonly<Record<string, string>> = {
  number: 'hooks with a number',
  question: 'hooks that ask a question',
  short: 'hooks of at most eight words',
  long: 'hooks of more than eight words',
};
const kinds = {
  hook: (hook: string) => `hooks like ${quoted(hook)}`,
  form: (form: string) => forms[form] ?? form,
  archetype: (name: string) => `the structure ${spoken(name)}`,
  template: (name: string) => `the template ${spoken(name)}`,
  language: (code: string) => `slideshows in ${new Intl.DisplayNames('en', { type: 'language' }).of(code)}`,
  weekday: (day: string) => `posts on ${day.slice(0, 1).toUpperCase()}${day.slice(1)}s`,
  hour: (hour: string) => `posts between ${hour}:00 and ${hour}:59`,
} as const;

const many = (count: number, one: string) =>
  `${count === 0 ? 'no' : count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

const brought = ({ of, value, lift }: Compared) =>
  `${kinds[of](value)} got ${lift.toFixed(1)} times the views of the others.`;

/** At most one page. Null where there is nothing to say. */
export function weekText(week: Week): MailText | null {
  const { posted, measured, views, best, waiting, scheduled, next, worse, timezone, until, consoleUrl } =
    week;
  if (posted === 0 && waiting === 0 && scheduled === 0) return null;
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, day: 'numeric', month: 'long' });
  const from = day.format(until.getTime() - 7 * dayMs);
  const name = quoted(week.workspace);
  const numbers =
    measured === 0
      ? posted === 0
        ? ''
        : ' No numbers are known yet.'
      : measured < posted
        ? ` ${measured.toLocaleString('en')} of them ${measured === 1 ? 'has' : 'have'} numbers: ${many(views, 'view')} so far.`
        : ` ${posted === 1 ? 'It has' : 'Together they have'} ${many(views, 'view')} so far.`;
  const advice = next
    ? `More of what works: ${brought(next)}`
    : waiting > 0
      ? 'Decide what waits. It is too early to say what works best.'
      : 'It is too early to say what works best: post more, and enter the numbers of each post after a day.';
  const lines = [
    `What ${name} did from ${from} to ${day.format(until)}.`,
    `Sent: ${many(posted, 'slideshow')}.${numbers}`,
    ...(best ? [`Best so far: ${quoted(best.hook)}, ${many(best.views, 'view')}.`] : []),
    `Waiting: ${many(waiting, 'slideshow')} for approval, ${many(scheduled, 'post')} in the next seven days.`,
    `Next: ${advice}`,
    ...(worse ? [`Less of what does not: ${brought(worse)}`] : []),
    `${consoleUrl}/numbers`,
    `You get this on Mondays as an owner. To end it:\n${consoleUrl}/settings`,
  ];
  const subject = `Your week in ${name}: ${posted === 0 ? 'nothing' : posted.toLocaleString('en')} sent${measured === 0 ? '' : `, ${many(views, 'view')}`}`;
  return { subject, text: `${lines.join('\n\n')}\n` };
}
