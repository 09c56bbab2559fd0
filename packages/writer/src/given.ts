import type { Brief } from '@hookline/shared/contracts/brief';
import { findArchetypeOfHook } from './archetype-of-hook.ts';
import { detectLanguage } from './listing/language.ts';
import type { SignedDeck } from './port.ts';
import { isStopWord } from './words.ts';

/**
 * The deck of texts that the caller wrote, word for word, or of pictures without text. @param country of the app's
 * store, for short texts
 */
export function writeGiven(brief: Brief, country: string | null): Omit<SignedDeck, 'ctaMode'> {
  const { hook = '', closing = '', pictureIds = [] } = brief;
  const [cover, ...others] = brief.templateId === 'picture' ? pictureIds : [];
  const slides = brief.slides ?? others.map(pictureId => ({ text: '', pictureId }));
  const texts = [hook, ...slides.map(({ text }) => text), closing];
  const language = detectLanguage(texts.join('\n'), country);
  return {
    result: {
      hook,
      hookOptions: [hook],
      bodySlides: slides.map(slide => ({ ...slide })),
      coverLook: cover === undefined ? undefined : { pictureId: cover },
      ctaSoft: closing,
      ctaHard: closing,
      caption: brief.caption ?? [hook, closing].filter(Boolean).join('\n\n'),
      hashtags: brief.hashtags ?? tagsOf(texts, language),
    },
    archetype: findArchetypeOfHook(hook) ?? 'authority',
    language,
    writer: { kind: 'given', name: 'given', repaired: false, because: null },
  };
}

const tagsMax = 3;

/** The words that the texts repeat most, the hook's first. Scripts without spaces have shorter words. */
function tagsOf(texts: readonly string[], language: string): string[] {
  const counts = new Map<string, number>();
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  for (const text of texts) {
    for (const { segment } of words.segment(text.toLowerCase())) {
      const isLong = /^[\p{L}\p{M}]{5,24}$|^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]{2,24}$/u;
      if (isLong.test(segment) && !isStopWord(segment, language))
        counts.set(segment, (counts.get(segment) ?? 0) + 1);
    }
  }
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one);
  return ranked.slice(0, tagsMax).map(([word]) => `#${word}`);
}
