import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { jobCompleted } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { insertContent } from '../contents/queries.ts';
import { type ContentRow, toJob, toOrigin } from '../contents/record.ts';
import { chargeGeneration, releaseGeneration } from '../credits/charge.ts';
import type { ContentDeps } from '../deps.ts';
import { insertImages } from '../images/queries.ts';
import type { ImageRow } from '../images/record.ts';

export type FinishedGeneration = {
  content: ContentRow;
  images: readonly ImageRow[];
  /** `write` throws if another attempt has ended the content. */
  write: (content: ContentRow) => Promise<void>;
};

/**
 * Ends a generation: charges or gives back, writes the content, its images and `job.completed`, in one round
 * trip because a caller waits.
 * @throws ApiError `insufficient_credits` if no credit is left for a ready deck
 */
export async function finishGeneration(
  deps: Pick<ContentDeps, 'now' | 'generationMs' | 'isUnlimited'>,
  tx: Transaction,
  { content, images, write }: FinishedGeneration,
): Promise<void> {
  const { id, accountId, updatedAt: at } = content;
  await Promise.all([
    settleCredit(deps, tx, content),
    write(content),
    images.length > 0 ? insertImages(tx, { contentId: id, version: content.version, at }, images) : null,
    appendEvent(tx, jobCompleted, {
      accountId,
      subject: id,
      source: 'content',
      at,
      data: { job: toJob(content), origin: toOrigin(content), waitsBecause: content.waitsBecause },
    }),
  ]);
}

async function settleCredit(
  deps: Pick<ContentDeps, 'now' | 'generationMs' | 'isUnlimited'>,
  tx: Transaction,
  { id: contentId, accountId, requestId, status }: ContentRow,
): Promise<void> {
  if (status === 'failed') await releaseGeneration(tx, contentId);
  else if (!(await chargeGeneration(deps, tx, { accountId, contentId, requestId }))) {
    throw new ApiError('insufficient_credits');
  }
}

export async function insertOnce(tx: Transaction, content: ContentRow): Promise<void> {
  if (!(await insertContent(tx, content))) throw new Error(`${content.id} exists already`);
}
