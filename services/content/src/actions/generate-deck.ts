import { createHash } from 'node:crypto';
import { listSlides } from '@hookline/deck';
import type { Brief, SlideshowResult } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import type { RenderedSlide } from '@hookline/slides';
import { RenderBusyError, renderOnThread, SlideTextError } from '@hookline/slides';
import { WritingRefused } from '@hookline/writer';
import { measureGeneration } from '../content-metrics.ts';
import type { ContentDeps } from '../deps.ts';
import { type ImageStore, ImageStoreError } from '../image-store.ts';
import type { AppRow } from '../queries/apps.ts';
import type { ImageRow } from '../queries/images.ts';

export type GeneratedDeck =
  | { status: 'ready'; result: SlideshowResult; archetype: string; language: string; images: ImageRow[] }
  | { status: 'failed'; errorCode: string; errorMessage: string };

/** Longest a generation may take, retries of the writer included (D-50). */
export const generationMs = 8_000;

/** Longest that storing a deck's slides may take: what writing (5 s at most) and drawing leave of a generation. */
const storingMs = 2_500;

/** Slides of a deck that are stored at the same time. */
const storedAtOnce = 4;

/**
 * Writes a deck and, for a quote-card, renders and stores its images. No transaction is open meanwhile.
 * A writer or renderer that fails makes a `failed` deck, never an exception (D-39).
 * @throws SlideTextError when the text that cannot be drawn is the caller's own hook; RenderBusyError.
 */
export function generateDeck(
  deps: ContentDeps,
  contentId: string,
  app: AppRow,
  brief: Brief,
): Promise<GeneratedDeck> {
  const isDrawn = brief.templateId === 'quote-card';
  return measureGeneration(isDrawn, () => makeDeck(deps, contentId, app, brief, isDrawn));
}

async function makeDeck(
  deps: ContentDeps,
  contentId: string,
  app: AppRow,
  brief: Brief,
  isDrawn: boolean,
): Promise<GeneratedDeck> {
  try {
    const written = await deps.writer.write({
      seed: contentId,
      app: { ...app.listing, name: app.name },
      brief,
    });
    const { result, archetype, language } = written;
    const look = { archetype, language, brandHue: app.listing.iconHue ?? null };
    const images = isDrawn ? await renderImages(deps, contentId, result, brief.ctaMode, look) : [];
    return { status: 'ready', result, archetype, language, images };
  } catch (error) {
    if (error instanceof RenderBusyError) throw error;
    if (error instanceof SlideTextError && error.slide === 1 && brief.hook !== undefined) throw error;
    if (error instanceof WritingRefused) {
      return { status: 'failed', errorCode: error.code, errorMessage: error.message };
    }
    if (error instanceof SlideTextError) {
      // The writer's own text: a model may answer in a script that no font here has.
      const errorMessage = `The slideshow cannot be drawn: ${error.message}; nothing was charged.`;
      return { status: 'failed', errorCode: 'text_not_drawable', errorMessage };
    }
    deps.log.error({ err: error, contentId }, 'generation failed');
    if (error instanceof ImageStoreError) {
      const message = 'The slide images could not be stored; nothing was charged. Try again in a minute.';
      return { status: 'failed', errorCode: 'image_store_unavailable', errorMessage: message };
    }
    return {
      status: 'failed',
      errorCode: 'internal_error',
      errorMessage:
        'The slideshow could not be made; nothing was charged. Try again with a new Idempotency-Key.',
    };
  }
}

/**
 * Renders every slide and stores the files; rows that name them are written afterwards by the caller, so a store that
 * fails half-way leaves files that no deck names.
 * @throws ImageStoreError, SlideTextError, RenderBusyError
 */
export async function renderImages(
  deps: Pick<ContentDeps, 'images'>,
  contentId: string,
  result: SlideshowResult,
  ctaMode: Brief['ctaMode'],
  look: { archetype: string | null; language: string | null; brandHue: number | null },
): Promise<ImageRow[]> {
  const rendered = await renderOnThread({
    slides: listSlides(result, ctaMode),
    seed: contentId,
    language: look.language ?? undefined,
    archetype: look.archetype ?? undefined,
    brandHue: look.brandHue,
  });
  const signal = AbortSignal.timeout(storingMs);
  const rows: ImageRow[] = [];
  for (let i = 0; i < rendered.length; i += storedAtOnce) {
    const batch = rendered.slice(i, i + storedAtOnce);
    rows.push(...(await Promise.all(batch.map(slide => storeSlide(deps.images, slide, signal)))));
  }
  return rows;
}

async function storeSlide(images: ImageStore, slide: RenderedSlide, signal: AbortSignal): Promise<ImageRow> {
  const digest = createHash('sha256').update(slide.bytes).digest();
  await images.put(digest.toString('hex'), slide.bytes, signal);
  return {
    id: newId('image'),
    index: slide.index,
    width: slide.width,
    height: slide.height,
    bytes: slide.bytes.length,
    contentType: slide.contentType,
    digest,
  };
}
