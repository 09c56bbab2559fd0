import type { EventContent } from '@hookline/shared/contracts/content';
import type { Transaction } from '@hookline/shared/postgres';
import { wakeSenders } from '../channels.ts';
import type { WriteContext } from '../context.ts';
import { defaultDescription, defaultTitle } from '../creating/texts.rules.ts';
import { rejected } from '../platform/failures.rules.ts';
import {
  lockEndedBy,
  makeHeldDue,
  markCompared,
  type Rejection,
  recordApproval,
} from '../schedules/queries.ts';
import { failSchedule, holdSchedule } from '../schedules/transition.ts';
import { type Edit, lockHandedOver, renewPhonePosts } from './queries.ts';

export async function releaseApproved(
  ctx: WriteContext,
  { id, version, result, images }: Pick<EventContent, 'id' | 'version' | 'result' | 'images'>,
  sequence: number,
): Promise<void> {
  await recordApproval(ctx.tx, { id, coverImageId: images[0]?.imageId ?? null }, sequence);
  if (result) {
    const texts = { title: defaultTitle(result), description: defaultDescription(result) };
    await renewPhonePosts(ctx, { contentId: id, version, ...texts });
  }
  await releaseHeld(ctx.tx, id);
}

export function recordExperiment(
  tx: Transaction,
  accountId: string,
  decks: readonly { contentId: string }[],
): Promise<void> {
  return markCompared(
    tx,
    accountId,
    decks.map(({ contentId }) => contentId),
  );
}

/** What is due on a phone waits for the new version, as what is sent by itself does. */
export async function holdEdited(ctx: WriteContext, edit: Edit): Promise<void> {
  for (const schedule of await lockHandedOver(ctx.tx, edit)) await holdSchedule(ctx, schedule);
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
export async function endRejected(ctx: WriteContext, rejection: Rejection): Promise<void> {
  const ended = await lockEndedBy(ctx.tx, rejection);
  for (const schedule of ended) await failSchedule(ctx, schedule, rejected());
  await releaseHeld(ctx.tx, rejection.content.id);
}
