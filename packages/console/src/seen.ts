/**
 * This module remembers which slides a person had on screen, by deck and version. Only decks that were seen whole
 * may be approved together.
 */
import { useSyncExternalStore } from 'react';
import { ownerNow } from './queries.ts';
import type { Content } from './types.ts';

const seen = new Map<string, Set<number>>();
const listeners = new Set<() => void>();
let count = 0;

const keyOf = ({ id, version }: Pick<Content, 'id' | 'version'>) => `${ownerNow()} ${id}@${version}`;

export function markSeen(content: Content, slide: number): void {
  const key = keyOf(content);
  const slides = seen.get(key) ?? new Set();
  if (slides.has(slide)) return;
  seen.set(key, slides.add(slide));
  count += 1;
  for (const listener of listeners) listener();
}

/** @param slideCount of the deck */
export function isSeenWhole(content: Content, slideCount: number): boolean {
  return slideCount > 0 && seenCount(content) >= slideCount;
}

export function seenCount(content: Content): number {
  return seen.get(keyOf(content))?.size ?? 0;
}

/** Renders again when another slide was seen. */
export function useSeenCount(): number {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => count,
  );
}
