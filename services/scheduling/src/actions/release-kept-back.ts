import { wakeSenders } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import { releaseKeptBack } from '../queries/restores.ts';

const batchMax = 500;

/**
 * After an operator has looked at TikTok: what a restore keeps back goes out at its time, or ends as `missed`.
 * @returns the number of schedules
 */
export async function releaseAllKeptBack({ db, now }: Pick<SchedulingDeps, 'db' | 'now'>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await db.transaction(async tx => {
      wakeSenders(tx);
      return await releaseKeptBack(tx, now(), batchMax);
    });
    total += count;
    if (count < batchMax) return total;
  }
}
