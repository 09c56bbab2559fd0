import { ApiError, notFound } from '@hookline/shared/contracts';
import { byOf, type Caller } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { findContent } from '../contents/queries.ts';
import type { ContentRow, ContentWithImages } from '../contents/record.ts';
import { refusalUnlessReady } from '../contents/send-state.rules.ts';
import { reserveGeneration } from '../credits/charge.ts';
import type { ContentDeps } from '../deps.ts';
import { copyImages } from '../images/queries.ts';
import { type ImageRow, toEventImage } from '../images/record.ts';
import { finishGeneration, insertOnce } from './finish.ts';
import { newContent } from './generation.rules.ts';

export type DuplicateRequest = { caller: Caller; params: { id: string }; requestId: string };

/**
 * Makes a content with the same texts and slides, which needs its own approval. Nothing is written or drawn; it
 * costs a credit, because it can be edited into any other deck and posted.
 * @throws ApiError `not_found`; `not_ready`; by `reserveGeneration`
 */
export async function duplicateContent(
  deps: ContentDeps,
  tx: Transaction,
  { caller, params, requestId }: DuplicateRequest,
): Promise<ContentWithImages> {
  const { accountId } = caller;
  const source = await findContent(tx, accountId, params.id);
  if (!source) throw notFound('content');
  const refusal = refusalUnlessReady(source.status);
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  const id = newId('content', deps.now().getTime());
  const freshness = { nearestContentId: source.id, overlap: 1 };
  const images = await copyImages(tx, source);
  return await insertCopy(deps, tx, { caller, requestId, copy: { ...source, id, freshness }, images });
}

type Copy = { caller: Caller; requestId: string; copy: ContentRow; images: readonly ImageRow[] };

/** Writes a pending content with the texts of the copy, for a credit. @throws ApiError by `reserveGeneration` */
export async function insertCopy(
  deps: ContentDeps,
  tx: Transaction,
  { caller, requestId, copy, images }: Copy,
): Promise<ContentWithImages> {
  const { accountId } = caller;
  const { id, status, appId, type, brief, result, archetype, language } = copy;
  const { writer, notice, shown, freshness } = copy;
  const now = deps.now();
  await reserveGeneration(deps, tx, { accountId, contentId: id, requestId, isResumed: false });
  const made = {
    id,
    accountId,
    appId,
    type,
    brief,
    requestId,
    authorId: authorOf(caller),
    madeBy: byOf(caller),
  };
  const copied = { status, result, archetype, language, writer, notice, shown, freshness, costCharged: 1 };
  const content = { ...newContent(made, now), ...copied };
  await finishGeneration(deps, tx, { content, images, write: row => insertOnce(tx, row) });
  return { ...content, images: images.map(toEventImage) };
}
