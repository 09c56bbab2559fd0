import type { EventContent } from '@hookline/shared/contracts/content';
import type { Transaction } from '@hookline/shared/postgres';
import { wakeSenders } from '../channels.ts';
import type { WriteContext } from '../context.ts';
import { rejected } from '../platform/failures.rules.ts';
import { lockWaitingOfOlderVersion, makeHeldDue, recordApproval } from './queries.ts';
import { failSchedule } from './transition.ts';

export async function releaseApproved(
  tx: Transaction,
  { id, images }: Pick<EventContent, 'id' | 'images'>,
  sequence: number,
): Promise<void> {
  await recordApproval(tx, { id, coverImageId: images[0]?.imageId ?? null }, sequence);
  await releaseHeld(tx, id);
}

async function releaseHeld(tx: Transaction, contentId: string): Promise<void> {
  await makeHeldDue(tx, contentId);
  wakeSenders(tx);
}

/**
 * A rejected edit ends the schedules that wait for it, however far ahead their time is. If the scheduled
 * version itself is rejected, the decision may be overridden until the schedule is due (D-2). A rejection
 * that comes after the news of a later approval ends nothing.
 */
export async function endRejected(
  ctx: WriteContext,
  content: { id: string; version: number },
  sequence: number,
): Promise<void> {
  const waiting = await lockWaitingOfOlderVersion(ctx.tx, content, sequence);
  for (const schedule of waiting) await failSchedule(ctx, schedule, rejected());
  await releaseHeld(ctx.tx, content.id);
}
