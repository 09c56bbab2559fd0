import { createHash } from 'node:crypto';
import { listSlides } from '@hookline/deck';
import type { Brief, SlideshowResult } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { type RenderedSlide, renderOnThread } from '@hookline/slides';
import type { ImageStore } from '../adapters/image-store.ts';
import type { ContentDeps } from '../deps.ts';
import type { ImageRow } from '../records/image.ts';

/** Longest that storing a deck's slides may take: the rest of a generation after writing (5 s at most) and drawing. */
const storingMs = 2_500;

/** Slides of a deck that are stored at the same time. */
const storedAtOnce = 4;

/**
 * Renders every slide and stores the files. The caller writes the rows that name them afterwards, so a store that
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
