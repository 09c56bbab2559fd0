import type { Content } from '@hookline/sdk';

/** The field of the closing line that is drawn; null for a deck without one. */
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
