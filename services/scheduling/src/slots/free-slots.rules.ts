import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';
import { slotsAfter } from '@hookline/shared/kernel/posting-times';
import type { PlatformAccount } from '../accounts/record.ts';

/** A slot is taken by a schedule that is less than this away from it. */
export const slotDistanceMs = 10 * minuteMs;
// As far ahead as a caller may schedule (D-8).
const aheadMaxMs = 365 * dayMs;

/** @param taken times of the account's waiting schedules, ascending */
export function freeSlots(
  { slots, timezone }: Pick<PlatformAccount, 'slots' | 'timezone'>,
  taken: readonly Date[],
  now: Date,
  count: number,
): Date[] {
  const free: Date[] = [];
  const untilMs = now.getTime() + aheadMaxMs;
  let near = 0;
  for (const slot of slotsAfter({ postingTimes: slots, timezone }, now)) {
    if (slot.getTime() > untilMs) break;
    const distance = (time: Date) => time.getTime() - slot.getTime();
    while (near < taken.length && distance(taken[near] as Date) <= -slotDistanceMs) near += 1;
    const first = taken[near];
    if (first && distance(first) < slotDistanceMs) continue;
    free.push(slot);
    if (free.length === count) break;
  }
  return free;
}
