/** The parts of a deck that follow by rule from its listing, its topic and its slides. */
import { compileAvoidedWords } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import directLines from '../../prompts/direct-lines.json' with { type: 'json' };
import { writeHashtags } from '../closing.ts';
import { chooseLanguage } from '../lines.ts';
import { detectLanguage } from '../listing/language.ts';
import type { Material } from '../listing/material.ts';
import { readSubject } from '../subject.ts';
import { splitSentences } from './claims.ts';

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

/** Those that the built-in writer would give a deck with this brief. */
export function hashtagsOf(
  material: Material,
  { topic, ctaMode = 'soft' }: Brief,
  avoided = compileAvoidedWords(),
): string[] {
  const language = chooseLanguage(material.language);
  const subject = readSubject({ material, language, topic, isNameless: ctaMode === 'none' });
  return writeHashtags({ subject, material, language, ctaMode, avoided });
}
