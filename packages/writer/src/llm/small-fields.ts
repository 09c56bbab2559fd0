/** The parts of a deck that follow by rule from its listing, its topic and its slides. */
import { compileAvoidedWords } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import directLines from '../../prompts/direct-lines.json' with { type: 'json' };
import { detectLanguage } from '../listing/language.ts';
import type { Material } from '../listing/material.ts';
import { splitSentences } from './claims.ts';
import { isForeignBrand } from './foreign-names.ts';

const tagsMin = 3;
const tagsMax = 4;
const generalTags = ['#howto', '#tips', '#everyday'];
const smallWords = new Set(
  'about after before from have into more most much only other over some than that their them then there these they this through what when where which while with without your aber auch dein deine eine einen für nicht oder ohne über wenn como cómo para sobre'.split(
    ' ',
  ),
);

/** The language of the written texts; a short or unusual one counts as the listing's. */
export function languageOf(slides: readonly string[], material: Material): string {
  const country = material.language === 'en' ? null : material.language;
  return detectLanguage(slides.join(' '), country);
}

/** "Try Pebblo today.", in a language that has such a line; else the soft line. */
export function directLineOf(appName: string, language: string, soft: string): string {
  const line = (directLines as Record<string, string>)[language.split('-')[0] ?? ''];
  return line?.replace('{app}', () => appName) ?? soft;
}

/** The app's name and a line of the listing, unbent; null where the listing has none. */
export function softLineOf({ name, features, sentences }: Material): string[] {
  return [...features.map(feature => feature.text), ...sentences].map(line => `${name.short}: ${line}`);
}

/** First sentences of the first and the last slide, which keep all rules already. */
export function captionOf(slides: readonly string[]): string {
  const [first = '', second = ''] = [slides[0], slides.at(-1)].map(slide => splitSentences(slide ?? '')[0]);
  const short = slides.length > 1 ? `${first} ${second}` : first;
  return [...short].length >= 30 ? short : slides.slice(0, 2).join(' ');
}

/**
 * Up to four: the topic's words, the subject of the listing, its category; never another product's, and none
 * that `avoided` matches.
 */
export function hashtagsOf(
  material: Material,
  { topic, ctaMode }: Brief,
  avoided = compileAvoidedWords(),
): string[] {
  const { name, category, features } = material;
  const words = (text: string | null | undefined): string[] =>
    (text?.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(
      word => [...word].length >= 4 && !smallWords.has(word),
    );
  const ofTopic = words(topic);
  const candidates = [
    ...(ofTopic.length > 1 ? [ofTopic.slice(-2).join('')] : []),
    ...ofTopic.slice(-2),
    ...words(name.tagline).slice(0, 2),
    ...words(category),
    ...(ctaMode === 'none' ? [] : [name.short.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, '')]),
    ...features.flatMap(feature => words(feature.text)).slice(0, 3),
  ];
  const isUsable = (tag: string): boolean =>
    /^#(?=.*\p{L})[\p{L}\p{N}\p{M}_]{2,30}$/u.test(tag) &&
    !isForeignBrand(tag.slice(1), name.short) &&
    !avoided.test(tag);
  const own = [...new Set(candidates.map(word => `#${word}`))].filter(isUsable).slice(0, tagsMax);
  return own.length >= tagsMin
    ? own
    : [...new Set([...own, ...generalTags])].filter(isUsable).slice(0, tagsMin);
}
