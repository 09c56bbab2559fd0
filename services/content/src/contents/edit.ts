import { isDeepStrictEqual } from 'node:util';
import { listSlides } from '@hookline/deck';
import { appendEvent } from '@hookline/shared/bus';
import { ApiError, invalidRequest, isBlank, notFound, rateLimited } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { EditContentBody, Freshness, SlideshowResult } from '@hookline/shared/contracts/content';
import { contentEdited } from '@hookline/shared/events';
import { byOf, type Caller } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import { hourMs } from '@hookline/shared/kernel/durations';
import { RenderBusyError, RenderThreadError, SlideTextError } from '@hookline/slides';
import { findAppOfContent } from '../apps/queries.ts';
import { comparedSince, freshnessOf } from '../decks/freshness.ts';
import { type DrawnDeck, notDrawn, renderImages } from '../decks/render.ts';
import type { ContentDeps } from '../deps.ts';
import { previewId } from '../images/preview.rules.ts';
import { copyImages, insertImages } from '../images/queries.ts';
import { toEventImage } from '../images/record.ts';
import { chooseKeptPictures } from '../pictures/choose.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import { onceSettled } from './once-settled.ts';
import { findContent, findSendState, keepApproved, lockContent, updateResult } from './queries.ts';
import { listDecksBefore } from './queries-before.ts';
import { takeEditDraw } from './queries-draws.ts';
import { addMoment } from './queries-timeline.ts';
import type { ContentWithImages } from './record.ts';
import { refusalUnlessReady, refusalWhileSent } from './send-state.rules.ts';

/** An edit ends before the gateway's timeout (15 s) if it waits at most this long for earlier ones. */
const turnMaxMs = 6_000;

/** Edits that draw cost nothing, so an account has at most this many a minute. */
const drawsMax = 30;

/** Slides of a preview outlive their links, which are valid for 10 minutes. */
const previewKeptMs = hourMs;

/** An edit that loses to another process between read and write is applied to the new version. */
const attemptsMax = 3;

export type EditRequest = { caller: Caller; params: { id: string }; body: EditContentBody };

/**
 * Changes texts, draws again, raises the version and requires a new approval, free of charge. Concurrent
 * edits run one after the other, and each keeps the fields it does not name. An edit that cannot be drawn
 * changes nothing (D-39).
 */
export function editContent(deps: ContentDeps, request: EditRequest): Promise<ContentWithImages> {
  const calledMs = performance.now();
  // Drawing for a version that another edit replaces would be wasted.
  return deps.editTurns(request.params.id, async () => {
    if (performance.now() - calledMs > turnMaxMs) throw unavailable();
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const edited = await editVersion(deps, request);
      if (edited) return edited;
    }
    throw unavailable();
  });
}

/**
 * Returns the content as the edit would make it. The slides are stored as files, and reaped after an hour
 * because no version names them.
 */
export async function previewEdit(
  deps: ContentDeps,
  { caller, params, body }: EditRequest,
): Promise<ContentWithImages> {
  const before = await onceSettled(() => getEditable(deps, caller.accountId, params.id));
  const { images, ...edited } = await applyEdit(deps, before, body, { keptMs: previewKeptMs });
  return {
    ...before,
    ...edited,
    images: images.map(image => toEventImage({ ...image, id: previewId(image) })),
    version: before.version + 1,
    approvalStatus: 'pending',
    decision: null,
    decidedVersion: null,
    decidedAt: null,
    changesRequested: null,
    updatedAt: deps.now(),
  };
}

/** @returns null, with nothing changed, if another process was first */
async function editVersion(
  deps: ContentDeps,
  { caller, params: { id: contentId }, body }: EditRequest,
): Promise<ContentWithImages | null> {
  const before = await onceSettled(() => getEditable(deps, caller.accountId, contentId));
  const { images, ...changed } = await applyEdit(deps, before, body);
  return await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockContent(tx, caller.accountId, contentId);
    if (!current) throw notFound('content');
    const refusal = refusalWhileSent(await findSendState(tx, contentId));
    if (refusal) throw new ApiError(refusal.code, refusal.message);
    const edited = { ...changed, authorId: authorOf(caller), at: now };
    if (!(await updateResult(tx, before, edited))) return null;
    const version = before.version + 1;
    await addMoment(tx, { contentId, at: now, what: 'edited', by: byOf(caller), version });
    if (images.length > 0) await insertImages(tx, { contentId, version, at: now }, images);
    if (current.approvalStatus === 'approved') await keepApproved(tx, before);
    // Another version of one that waits already is no news.
    if (current.approvalStatus !== 'pending' || current.changesRequested) {
      const { accountId } = caller;
      const event = { accountId, subject: contentId, source: 'content', at: now, data: { version } };
      await appendEvent(tx, contentEdited, event);
    }
    const content = await findContent(tx, caller.accountId, contentId);
    if (!content) throw notFound('content');
    return content;
  });
}

export type AppliedEdit = Pick<ContentWithImages, 'result' | 'brief' | 'writer' | 'freshness'> &
  Pick<DrawnDeck, 'images' | 'shown'>;

type Drawing = {
  keptMs?: number | undefined;
  /** The field of the request that has the hook. */
  hookField?: string;
};

/** The content as the edit makes it, drawn and not written. */
export async function applyEdit(
  deps: ContentDeps,
  before: ContentWithImages,
  body: EditContentBody,
  drawing: Drawing = {},
): Promise<AppliedEdit> {
  const { result, brief, writer } = mergeEdit(before, body);
  const { images, shown } = await renderEdit(deps, before, { result, brief, ...drawing });
  return { result, brief, writer, images, shown, freshness: await refreshed(deps, before, result) };
}

/** What the edited texts have in common with the app's other decks. */
async function refreshed(
  deps: ContentDeps,
  { id, accountId, appId, language }: ContentWithImages,
  result: SlideshowResult,
): Promise<Freshness | null> {
  const since = comparedSince(deps.now());
  const decks = await listDecksBefore(deps.db, { accountId, appId, since, automationId: null });
  return freshnessOf(
    { result, language },
    decks.filter(deck => deck.id !== id),
  );
}

/** @throws ApiError `not_found`, `not_ready`, `already_sending`, `already_sent` */
export async function getEditable(
  deps: ContentDeps,
  accountId: string,
  contentId: string,
): Promise<ContentWithImages> {
  const content = await findContent(deps.db, accountId, contentId);
  if (!content) throw notFound('content');
  const refusal =
    refusalUnlessReady(content.status) ?? refusalWhileSent(await findSendState(deps.db, contentId));
  if (refusal) throw new ApiError(refusal.code, refusal.message);
  return content;
}

type Edited = { result: SlideshowResult; brief: Brief | null };

function mergeEdit(
  content: ContentWithImages,
  edit: EditContentBody,
): Edited & Pick<ContentWithImages, 'writer'> {
  const { brief, writer } = content;
  const result = content.result as SlideshowResult;
  const { templateId, hook = result.hook, bodySlides = result.bodySlides } = edit;
  if ((templateId ?? brief?.templateId) !== 'picture') requireTexts(bodySlides);
  // Finished slides are no pictures of another template, which then shows the app's own.
  const left = brief?.templateId === 'picture' ? { pictureIds: undefined } : {};
  return {
    result: {
      hook,
      hookOptions: withChosenHook(result.hookOptions, hook),
      bodySlides,
      ctaSoft: edit.ctaSoft ?? result.ctaSoft,
      ctaHard: edit.ctaHard ?? result.ctaHard,
      caption: edit.caption ?? result.caption,
      hashtags: edit.hashtags ?? result.hashtags,
      coverLook: edit.coverLook ?? result.coverLook,
      closingLook: edit.closingLook ?? result.closingLook,
    },
    brief: templateId === undefined ? brief : { ...brief, templateId, ...left },
    // The reason for a hook goes with it.
    writer: hook === result.hook ? writer : writer && { ...writer, because: null },
  };
}

function requireTexts(slides: SlideshowResult['bodySlides']): void {
  const blank = slides.findIndex(({ text }) => isBlank(text));
  if (blank < 0) return;
  throw invalidRequest(`bodySlides[${blank}].text must be a text of 1 to 500 characters that is not blank`);
}

const optionsMax = 5;

/** Puts the chosen hook first (D-47). A single option came from the caller and is replaced. */
export function withChosenHook(options: readonly string[], hook: string): string[] {
  if (options.length === 1) return [hook];
  return [hook, ...options.filter(option => option !== hook)].slice(0, optionsMax);
}

async function renderEdit(
  deps: ContentDeps,
  content: ContentWithImages,
  { result, keptMs, hookField = 'hook', ...edited }: Edited & Drawing,
): Promise<Pick<DrawnDeck, 'images' | 'shown'>> {
  const brief = edited.brief ?? {};
  if (brief.templateId === undefined) return notDrawn;
  const before = {
    brief: content.brief ?? {},
    slides: listSlides(content.result as SlideshowResult, brief.ctaMode),
  };
  const after = { brief, slides: listSlides(result, brief.ctaMode) };
  // Images are reused if no slide changes: for a new caption or other hashtags.
  if (isDeepStrictEqual(before, after)) {
    const images = await copyImages(deps.db, content);
    return { images, shown: { ...(content.shown ?? notDrawn.shown), changedBy: [] } };
  }
  const app = await findAppOfContent(deps.db, content.appId);
  if (!app) throw notFound('app');
  const chosen = await chooseKeptPictures(deps, app, after, before);
  const waitMs = await takeEditDraw(deps.db, content.accountId, deps.now(), drawsMax);
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000));
  try {
    const { language } = content;
    return await renderImages(deps, { app, brief, result, language, chosen, keptMs });
  } catch (error) {
    if (error instanceof SlideTextError) {
      const fields = [hookField, ...result.bodySlides.map((_, i) => `bodySlides[${i}].text`)];
      const field = fields[error.slide - 1] ?? (brief.ctaMode === 'direct' ? 'ctaHard' : 'ctaSoft');
      throw invalidRequest(`${field} cannot be drawn: ${error.message}`);
    }
    if ([RenderBusyError, RenderThreadError, ImageStoreError].some(kind => error instanceof kind)) {
      throw unavailable(error);
    }
    throw error;
  }
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('service_unavailable', undefined, { retryAfterSeconds: 2, cause });
}
