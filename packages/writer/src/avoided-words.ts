import { compileAvoidedWords } from '@hookline/deck';
import type { SlideshowResult } from '@hookline/shared/contracts/content';

/**
 * The first of the words that a deck has, or null. Case does not matter; "cat" is not in "category".
 * @param isHookGiven the hook is the caller's own and is not judged
 */
export function findAvoidedWord(
  result: SlideshowResult,
  words: readonly string[],
  isHookGiven: boolean,
): string | null {
  const { hook, hookOptions, bodySlides, ctaSoft, ctaHard, caption, hashtags } = result;
  const texts = [
    ...(isHookGiven ? [] : [hook, ...hookOptions]),
    ...bodySlides.map(({ text }) => text),
    ctaSoft,
    ctaHard,
    caption,
    ...hashtags,
  ].join('\n');
  return words.find(word => compileAvoidedWords([word]).test(texts)) ?? null;
}
