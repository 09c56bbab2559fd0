import { schedulesOfKeyMax } from '@hookline/shared/contracts/auth';
import type { SchedulingDeps } from '../deps.ts';
import { limitLockWait, lockWaitingOfKey } from '../queries/schedules.ts';
import { withdrawSchedule } from './record-transition.ts';

/**
 * Withdraws the waiting schedules that a key made or changed, or whose automation it did, at most 100.
 * @returns their ids, and whether more wait
 */
export function withdrawSchedulesOfKey(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  accountId: string,
  keyId: string,
): Promise<{ scheduleIds: string[]; more: boolean }> {
  return db.transaction(async tx => {
    await limitLockWait(tx);
    const rows = await lockWaitingOfKey(tx, accountId, keyId, schedulesOfKeyMax + 1);
    const withdrawn = rows.slice(0, schedulesOfKeyMax);
    for (const row of withdrawn) await withdrawSchedule(tx, row, now());
    return { scheduleIds: withdrawn.map(({ id }) => id), more: rows.length > withdrawn.length };
  });
}
