import { dayMs, minuteMs } from '@hookline/shared/kernel/durations';
import { nextSlot } from '@hookline/shared/kernel/posting-times';
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
  if (slots.length === 0) return free;
  const plan = { postingTimes: slots, timezone };
  const untilMs = now.getTime() + aheadMaxMs;
  let near = 0;
  for (let slot = nextSlot(plan, now); slot.getTime() <= untilMs; slot = nextSlot(plan, slot)) {
    const distance = (time: Date) => time.getTime() - slot.getTime();
    while (near < taken.length && distance(taken[near] as Date) <= -slotDistanceMs) near += 1;
    const first = taken[near];
    if (first && distance(first) < slotDistanceMs) continue;
    free.push(slot);
    if (free.length === count) break;
  }
  return free;
}
