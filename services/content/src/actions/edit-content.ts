import type { Caller } from '@hookline/shared/caller';
import type { EditContentBody, SlideshowResult } from '@hookline/shared/contracts/content';
import { ApiError, invalidRequest, notFound } from '@hookline/shared/errors';
import type { ContentDeps } from '../deps.ts';
import { ImageStoreError } from '../image-store.ts';
import { findApp } from '../queries/apps.ts';
import { type ContentWithImages, findContent, lockContent, updateResult } from '../queries/contents.ts';
import { type ImageRow, insertImages } from '../queries/images.ts';
import { findSendState } from '../queries/permits.ts';
import { RenderBusyError } from '../render/render-slots.ts';
import { RenderThreadError } from '../render/render-thread.ts';
import { SlideTextError } from '../render/slide-text-error.ts';
import { refusalWhileSent } from '../rules/approval.ts';
import { renderImages } from './generate-deck.ts';

/**
 * Changes texts, renders again, raises the version and asks for a new approval. Costs nothing.
 * An edit whose rendering fails changes nothing (decision 39).
 * @throws ApiError `not_found`, `not_ready`, `already_sending`, `already_sent`, `invalid_request` naming the slide,
 * `service_unavailable` while images cannot be drawn or stored
 */
export async function editContent(
  deps: ContentDeps,
  caller: Caller,
  contentId: string,
  edit: EditContentBody,
): Promise<ContentWithImages> {
  const before = await getEditable(deps, caller.accountId, contentId);
  const result = mergeEdit(before.result as SlideshowResult, edit);
  const images = await renderEdit(deps, before, result);
  return await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockContent(tx, caller.accountId, contentId);
    if (!current) throw notFound('content');
    const refusal = refusalWhileSent(await findSendState(tx, contentId));
    if (refusal) throw new ApiError(refusal.code, refusal.message);
    if (!(await updateResult(tx, contentId, before.version, result, now))) {
      throw new ApiError(
        'not_ready',
        'This content was edited by another request meanwhile; read it again first.',
      );
    }
    if (images.length > 0) await insertImages(tx, contentId, before.version + 1, images, now);
    const edited = await findContent(tx, caller.accountId, contentId);
    if (!edited) throw notFound('content');
    return edited;
  });
}

async function getEditable(
  deps: ContentDeps,
  accountId: string,
  contentId: string,
): Promise<ContentWithImages> {
  const content = await findContent(deps.db, accountId, contentId);
  if (!content) throw notFound('content');
  if (content.status !== 'ready')
    throw new ApiError('not_ready', `This content is ${content.status}, not ready.`);
  const refusal = refusalWhileSent(await findSendState(deps.db, contentId));
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  return content;
}

function mergeEdit(result: SlideshowResult, edit: EditContentBody): SlideshowResult {
  return {
    hook: edit.hook ?? result.hook,
    hookOptions: result.hookOptions,
    bodySlides: edit.bodySlides ?? result.bodySlides,
    ctaSoft: edit.ctaSoft ?? result.ctaSoft,
    ctaHard: edit.ctaHard ?? result.ctaHard,
    caption: edit.caption ?? result.caption,
    hashtags: edit.hashtags ?? result.hashtags,
  };
}

async function renderEdit(
  deps: ContentDeps,
  content: ContentWithImages,
  result: SlideshowResult,
): Promise<ImageRow[]> {
  const brief = content.brief ?? {};
  if (brief.templateId !== 'quote-card') return [];
  try {
    const app = await findApp(deps.db, content.accountId, content.appId);
    const look = { ...content, brandHue: app?.listing.iconHue ?? null };
    return await renderImages(deps, content.id, result, brief.ctaMode, look);
  } catch (error) {
    if (error instanceof SlideTextError) throw invalidRequest(error.message);
    if ([RenderBusyError, RenderThreadError, ImageStoreError].some(kind => error instanceof kind)) {
      throw new ApiError('service_unavailable', undefined, { retryAfterSeconds: 2, cause: error });
    }
    throw error;
  }
}
