import type { DecksWaiting } from '@hookline/shared/contracts/workspace';
import { hourMs } from '@hookline/shared/kernel/durations';

/** Between two mails about content that waits: decks of a while go into one. */
const bundleMs = 15 * 60_000;
const digestHour = 9;

/** When the next mail goes out. @param mailedAt when the last one did; null: never */
export function reminderTime(
  choice: Exclude<DecksWaiting, 'off'>,
  { now, mailedAt, timezone }: { now: Date; mailedAt: Date | null; timezone: string },
): Date {
  if (choice === 'daily') return nextDigest(now, timezone);
  return new Date(Math.max(now.getTime(), (mailedAt?.getTime() ?? 0) + bundleMs));
}

/**
 * The next 09:00 in the zone, at most 25 hours away; where a clock change skips it, the hour after. Local
 * hours begin on quarters of an hour in every zone.
 */
function nextDigest(now: Date, timezone: string): Date {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const quarterMs = hourMs / 4;
  const first = (Math.floor(now.getTime() / quarterMs) + 1) * quarterMs;
  let before = -1;
  for (let at = first; at <= first + 26 * hourMs; at += quarterMs) {
    const parts = Object.fromEntries(
      format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]),
    );
    const hour = parts.hour ?? 0;
    const isSkipped = before === digestHour - 1 && hour === digestHour + 1;
    if ((hour === digestHour && parts.minute === 0) || isSkipped) return new Date(at);
    before = hour;
  }
  throw new Error(`there is no ${digestHour}:00 in ${timezone}`);
}
