/**
 * This module remembers which slides a person had on screen, by deck and version. Only decks that were seen whole
 * may be approved together.
 */
import { ownerNow } from './queries.ts';
import { createStore } from './store.ts';
import type { Content } from './types.ts';

const seen = new Map<string, Set<number>>();
const count = createStore(0);
/** Renders again when another slide was seen. */
export const useSeenCount = count.use;

const keyOf = ({ id, version }: Pick<Content, 'id' | 'version'>) => `${ownerNow()} ${id}@${version}`;

export function markSeen(content: Content, slide: number): void {
  const key = keyOf(content);
  const slides = seen.get(key) ?? new Set();
  if (slides.has(slide)) return;
  seen.set(key, slides.add(slide));
  count.set(count.get() + 1);
}

/** @param slideCount of the deck */
export function isSeenWhole(content: Content, slideCount: number): boolean {
  return slideCount > 0 && seenCount(content) >= slideCount;
}

export function seenCount(content: Content): number {
  return seen.get(keyOf(content))?.size ?? 0;
}
