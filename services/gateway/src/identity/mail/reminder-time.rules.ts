import { weekdays } from '@hookline/shared/contracts/posting-times';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';
import { minuteMs } from '@hookline/shared/kernel/durations';
import { nextSlot } from '@hookline/shared/kernel/posting-times';

/** Between two mails about content that waits: decks of a while go into one. */
const bundleMs = 15 * minuteMs;
const digestTime = { time: '09:00', days: [...weekdays] };

/** When the next mail goes out. @param mailedAt when the last one did; null: never */
export function reminderTime(
  choice: Exclude<DecksWaiting, 'off'>,
  { now, mailedAt, timezone }: { now: Date; mailedAt: Date | null; timezone: string },
): Date {
  if (choice === 'daily') return nextSlot({ timezone, postingTimes: [digestTime] }, now);
  return new Date(Math.max(now.getTime(), (mailedAt?.getTime() ?? 0) + bundleMs));
}
