import type { Content } from '../types.ts';

/** The field of the closing line; null for a deck without one. */
export function closingField({ brief }: Pick<Content, 'brief'>): 'ctaSoft' | 'ctaHard' | null {
  if (brief?.ctaMode === 'none') return null;
  return brief?.ctaMode === 'direct' ? 'ctaHard' : 'ctaSoft';
}

/** The text of every slide in order: hook, body, closing line. */
export function slideTexts(content: Pick<Content, 'brief' | 'result'>): string[] {
  const { result } = content;
  if (result === null) return [];
  const closing = closingField(content);
  return [
    result.hook,
    ...result.bodySlides.map(({ text }) => text),
    ...(closing === null ? [] : [result[closing]]),
  ];
}

export type Change = {
  /** `look` is the picture or the position of a slide; its values are for comparing. */
  field: 'template' | 'hook' | 'slide' | 'closing' | 'look' | 'caption' | 'hashtags';
  /** Slides are counted from 1; the hook is slide 1. */
  slide: number | null;
  before: string | null;
  after: string | null;
};

/** What differs between two versions of a deck, in the order of the slides. */
export function changesBetween(before: Content, after: Content): Change[] {
  const [old, now] = [before.result, after.result];
  const slides = (result: Content['result']) => result?.bodySlides.map(({ text }) => text) ?? [];
  const [oldSlides, newSlides] = [slides(old), slides(now)];
  const [oldClosing, newClosing] = [closingField(before), closingField(after)];
  const [oldLooks, newLooks] = [looksOf(before), looksOf(after)];
  const all: Change[] = [
    { field: 'template', slide: null, before: before.templateId, after: after.templateId },
    { field: 'hook', slide: 1, before: old?.hook ?? null, after: now?.hook ?? null },
    ...Array.from({ length: Math.max(oldSlides.length, newSlides.length) }, (_, index) => ({
      field: 'slide' as const,
      slide: index + 2,
      before: oldSlides[index] ?? null,
      after: newSlides[index] ?? null,
    })),
    {
      field: 'closing',
      slide: null,
      before: oldClosing && (old?.[oldClosing] ?? null),
      after: newClosing && (now?.[newClosing] ?? null),
    },
    ...Array.from({ length: Math.min(oldLooks.length, newLooks.length) }, (_, index) => ({
      field: 'look' as const,
      slide: index + 1,
      before: oldLooks[index] ?? null,
      after: newLooks[index] ?? null,
    })),
    { field: 'caption', slide: null, before: old?.caption ?? null, after: now?.caption ?? null },
    {
      field: 'hashtags',
      slide: null,
      before: old?.hashtags.join(' ') ?? null,
      after: now?.hashtags.join(' ') ?? null,
    },
  ];
  return all.filter(change => change.before !== change.after);
}

function looksOf(content: Content): string[] {
  const { result } = content;
  if (result === null) return [];
  const looks = [result.coverLook, ...result.bodySlides, closingField(content) && result.closingLook];
  return looks.map(look => JSON.stringify([look?.pictureId, look?.position]));
}
