import { ApiError } from '@hookline/shared/contracts';
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { mayApprove } from '@hookline/shared/http/authority';

/** The platform counts UTF-16 units. */
export const titleUnitsMax = 90;
export const descriptionUnitsMax = 4_000;

export function defaultTitle(result: SlideshowResult): string {
  return cutText(result.hook, titleUnitsMax);
}

/** The caption is followed by as many whole hashtags as fit. */
export function defaultDescription(result: SlideshowResult): string {
  const caption = cutText(result.caption, descriptionUnitsMax);
  let tags = '';
  for (const tag of result.hashtags) {
    const longer = tags ? `${tags} ${tag}` : tag;
    if (caption.length + 2 + longer.length > descriptionUnitsMax) break;
    tags = longer;
  }
  return [caption, tags].filter(Boolean).join('\n\n');
}

type Approver = Pick<Caller, 'scopes' | 'actor' | 'approvalPolicy'>;

export type PostTexts = { title?: string | undefined; description?: string | undefined };

/**
 * Other texts follow the content to its next version. Under `postTexts: "approved_only"` only somebody who
 * may approve own words brings any.
 * @throws ApiError `missing_scope` naming the field
 */
export function textsToKeep(requested: PostTexts, approved: SlideshowResult, caller: Approver): PostTexts {
  const { postTexts, selfApproval } = caller.approvalPolicy;
  if (postTexts === 'open' || (selfApproval && mayApprove(caller))) return requested;
  const differing =
    (requested.title !== undefined && requested.title !== defaultTitle(approved) && 'title') ||
    (requested.description !== undefined &&
      requested.description !== defaultDescription(approved) &&
      'description');
  if (!differing) return {};
  const needed = selfApproval ? ' without the scope content:approve' : '';
  throw new ApiError(
    'missing_scope',
    `${differing} is not the approved text, which the approval policy of this workspace does not allow${needed}: postTexts is "approved_only"; leave it out, or edit the content and have it approved.`,
  );
}

/** The label that a post was made with AI is part of what is approved. @throws ApiError `missing_scope` */
export function requireAiLabel(
  { aiGenerated }: { aiGenerated?: boolean | undefined },
  caller: Approver,
): void {
  if (aiGenerated !== false || mayApprove(caller)) return;
  const message =
    'aiGenerated false takes the AI label off the post: only somebody who may approve content can, with the scope content:approve.';
  throw new ApiError('missing_scope', message);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts at a word boundary in the last third, otherwise between graphemes, and appends an ellipsis. */
export function cutText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length > unitsMax - 1) break;
    kept += segment;
  }
  const wordEnd = kept.search(/\s+\S*$/);
  return `${(wordEnd > unitsMax * (2 / 3) ? kept.slice(0, wordEnd) : kept).trimEnd()}…`;
}
