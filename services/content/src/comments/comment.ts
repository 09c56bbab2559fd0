import { listSlides } from '@hookline/deck';
import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { type CreateCommentBody, commentsMax } from '@hookline/shared/contracts/comments';
import { byOf, type Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { lockContent } from '../contents/queries.ts';
import type { ContentDeps } from '../deps.ts';
import { countComments, insertComment } from './queries.ts';
import type { CommentRow } from './record.ts';

export type CommentRequest = { caller: Caller; params: { id: string }; body: CreateCommentBody };

export async function addComment(
  { now }: ContentDeps,
  tx: Transaction,
  { caller, params, body: { text, slide = 0 } }: CommentRequest,
): Promise<CommentRow> {
  // The lock orders comments at once, so that they keep the limit.
  const content = await lockContent(tx, caller.accountId, params.id);
  if (!content) throw notFound('content');
  const { id: contentId, version, result, brief } = content;
  const slides = result ? listSlides(result, brief?.ctaMode).length : 0;
  if (slide > slides) {
    throw invalidRequest(`slide must be a slide of the content, which has ${slides}`);
  }
  if ((await countComments(tx, contentId)) >= commentsMax) {
    throw invalidRequest(`text cannot be added: a content has at most ${commentsMax} comments`);
  }
  const createdAt = now();
  const id = newId('comment', createdAt.getTime());
  const row = { id, contentId, version, slide: slide || null, text, by: byOf(caller), createdAt };
  await insertComment(tx, row);
  return row;
}
