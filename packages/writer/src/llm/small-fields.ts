/** The parts of a deck that follow by rule from its listing, its topic and its slides, or are tidied by one. */
import type { Brief } from '@hookline/shared/contracts/brief';
import { fillersOf } from '../fillers.ts';
import { writeHashtags } from '../hashtags.ts';
import { detectLanguage } from '../listing/language.ts';
import type { Material } from '../listing/material.ts';
import { isForeignBrand } from '../text-filters.ts';
import { splitSentences } from './claims.ts';
import type { Draft } from './draft.ts';

/** The language that the model names, as everything here writes it; without one that of the slides, of which few or unusual ones count as the listing's. */
export function languageOf(
  { language, slides }: Pick<Draft, 'language' | 'slides'>,
  material: Material,
): string {
  if (language !== null && /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/iu.test(language))
    return Intl.getCanonicalLocales(language)[0]!;
  const country = material.language === 'en' ? null : material.language;
  return detectLanguage(slides.filter(slide => slide !== null).join(' '), country);
}

/** "Get Pebblo on the App Store.", in the language of the deck. */
export const directLineOf = (material: Material, language: string): string =>
  fillersOf({ ...material, language: language.split('-')[0]! }, false, 0).direct;

/** First sentences of the first and the last slide, which keep all rules already. */
export function captionOf(slides: readonly string[]): string {
  const [first = '', second = ''] = [slides[0], slides.at(-1)].map(slide => splitSentences(slide ?? '')[0]);
  const short = slides.length > 1 ? `${first} ${second}` : first;
  return [...short].length >= 30 ? short : slides.slice(0, 2).join(' ');
}

type TagRules = { material: Material; brief: Brief; avoided: RegExp };

/**
 * Up to five of the model's hashtags: without another product's name, an avoided word and, where the deck does not
 * name it, the app's. Where fewer than three are left, those that the built-in writer would give.
 */
export function hashtagsOf(written: readonly string[], { material, brief, avoided }: TagRules): string[] {
  const { short } = material.name;
  const bare = (tag: string): string => tag.toLowerCase().replace(/[^\p{L}\p{M}\p{N}_]/gu, '');
  const isShown = (tag: string): boolean =>
    /\p{L}/u.test(tag) &&
    [...tag].length <= 40 &&
    !avoided.test(tag) &&
    !isForeignBrand(tag, short) &&
    (brief.ctaMode !== 'none' || !tag.includes(bare(short)));
  const tags = [...new Set(written.map(bare).filter(isShown))].slice(0, 5).map(tag => `#${tag}`);
  if (tags.length >= 3) return tags;
  return writeHashtags({ material, isNameless: brief.ctaMode === 'none', avoided });
}
