import type { App } from '../types.ts';
import { changedIn } from './changed.ts';

export type Brand = NonNullable<App['brand']>;

/** The brand as its form holds it: texts, and empty ones where nothing is set. */
export type BrandDraft = {
  hasColors: boolean;
  background: string;
  accent: string;
  handle: string;
  fonts: Brand['fonts'] | '';
  /** One on each line. */
  avoidWords: string;
};

export function brandDraftOf(brand: App['brand']): BrandDraft {
  const [background = '#11302b', accent = '#ffd166'] = brand?.colors ?? [];
  return {
    hasColors: !!brand?.colors,
    background,
    accent,
    handle: brand?.handle ?? '',
    fonts: brand?.fonts ?? '',
    avoidWords: brand?.avoidWords?.join('\n') ?? '',
  };
}

/** What of the brand an edit changes, for a PATCH: null clears. Null where it changes nothing. */
export function brandChanges(before: BrandDraft, draft: BrandDraft): Partial<Brand> | null {
  const changed = changedIn<Partial<Brand>>(brandOf(before), brandOf(draft));
  return Object.keys(changed).length === 0 ? null : changed;
}

function brandOf({ hasColors, background, accent, handle, fonts, avoidWords }: BrandDraft) {
  const words = avoidWords
    .split('\n')
    .map(word => word.trim())
    .filter(Boolean);
  return {
    colors: hasColors ? [background, accent] : null,
    handle: handle.trim() || null,
    fonts: fonts || null,
    avoidWords: words.length === 0 ? null : words,
  };
}
