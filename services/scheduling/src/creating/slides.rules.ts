import type { EventContent } from '@hookline/shared/contracts/content';

/** A deck has a hook, the body, and the closing line unless `ctaMode` is `none` (additions to API-2). */
export function slideCountOf(content: Pick<EventContent, 'result' | 'brief'>): number {
  const { result, brief } = content;
  if (!result) return 0;
  return 1 + result.bodySlides.length + (brief?.ctaMode === 'none' ? 0 : 1);
}

export function imagesMatchSlides(content: Pick<EventContent, 'result' | 'brief' | 'images'>): boolean {
  const { images } = content;
  return images.length === slideCountOf(content) && images.every((image, at) => image.index === at + 1);
}
