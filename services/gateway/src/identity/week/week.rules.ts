import { dayMs } from '@hookline/shared/kernel/durations';
import { type MailText, quoted } from '../mail/mail.rules.ts';
import { reminderTime } from '../mail/reminder-time.rules.ts';

/** The next Monday at 09:00 in the zone. */
export function nextMonday(now: Date, timezone: string): Date {
  const dayOf = new Intl.DateTimeFormat('en', { timeZone: timezone, weekday: 'short' });
  let at = now;
  do at = reminderTime('daily', { now: at, mailedAt: null, timezone });
  while (dayOf.format(at) !== 'Mon');
  return at;
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
  next: { of: keyof typeof kinds; value: string; lift: number } | null;
};

const kinds = {
  hook: 'the hook',
  form: 'hooks of the form',
  archetype: 'the structure',
  template: 'the template',
  language: 'the language',
  weekday: 'posts on',
  hour: 'posts in the hour of',
} as const;

const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`;

/** At most one page. Null where there is nothing to say. */
export function weekText(week: Week): MailText | null {
  const { posted, measured, views, best, waiting, scheduled, next, timezone, until, consoleUrl } = week;
  if (posted === 0 && waiting === 0 && scheduled === 0) return null;
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, day: 'numeric', month: 'long' });
  const from = day.format(until.getTime() - 7 * dayMs);
  const name = quoted(week.workspace);
  const brought =
    measured === 0
      ? posted === 0
        ? ''
        : ' No numbers are known yet.'
      : ` ${many(measured, 'of them has', 'of them have')} numbers: ${many(views, 'view')} so far.`;
  const advice = next
    ? `More with ${kinds[next.of]} ${quoted(next.value)}: these got ${next.lift.toFixed(1)} times the views of the others.`
    : waiting > 0
      ? 'Decide what waits. It is too early to say what works best.'
      : 'It is too early to say what works best: post more, and enter the numbers of each post after a day.';
  const lines = [
    `What ${name} did from ${from} to ${day.format(until)}.`,
    `Posted: ${many(posted, 'slideshow')}.${brought}`,
    ...(best ? [`Best so far: ${quoted(best.hook)}, ${many(best.views, 'view')}.`] : []),
    `Waiting: ${many(waiting, 'slideshow')} for approval, ${many(scheduled, 'post')} in the next seven days.`,
    `Next: ${advice}`,
    `${consoleUrl}/numbers`,
    `You get this on Mondays as an owner. To end it:\n${consoleUrl}/settings`,
  ];
  const subject = `Your week in ${name}: ${posted} posted${measured === 0 ? '' : `, ${many(views, 'view')}`}`;
  return { subject, text: `${lines.join('\n\n')}\n` };
}
