import type { Transaction } from '@hookline/shared/postgres';
import type { ContentDeps } from '../deps.ts';
import { type PermitEnd, releasePermit } from '../queries/permits.ts';

/**
 * Releases permits whose schedule has ended, as scheduling says, without the event having arrived here.
 * @returns the schedules whose permit was released now.
 */
export async function releasePermits(
  { db, log, now }: Pick<ContentDeps, 'db' | 'log' | 'now'>,
  ends: readonly Omit<PermitEnd, 'at'>[],
): Promise<string[]> {
  const at = now();
  const released = await db.transaction((tx: Transaction) => releaseInOrder(tx, ends, at));
  for (const scheduleId of released) log.warn({ scheduleId }, 'a permit had outlived its schedule');
  return released;
}

/** In the order of their ids, so that two calls never wait for each other in a circle. */
async function releaseInOrder(
  tx: Transaction,
  ends: readonly Omit<PermitEnd, 'at'>[],
  at: Date,
): Promise<string[]> {
  const released: string[] = [];
  for (const end of ends.toSorted((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1))) {
    if (await releasePermit(tx, { ...end, at })) released.push(end.scheduleId);
  }
  return released;
}
