import { storeName } from './fillers.ts';
import { extractMaterial, type MaterialSource } from './listing/material.ts';

const charactersMax = 400;
const charactersMin = 100;

/**
 * The `details` of an app, at most 400 characters, in the listing's words: its opening line, then its lines in order. A
 * listing that says little is told with its subtitle, category, store and developer.
 */
export function describeApp(app: MaterialSource, developer: string | null): string {
  const { name, openings, lines, category, store, language } = extractMaterial(app);
  const separator = /^(ja|zh|th)$/.test(language) ? '' : ' ';
  const texts = lines.map(({ text }) => text);
  const [opening = ''] = openings;
  const first = texts.find(text => text.startsWith(opening)) ?? opening;
  let told = '';
  for (const text of new Set([first, ...texts])) {
    const sentence = /[.!?。！？]["”」]?$/u.test(text) ? text : `${text}${separator === '' ? '。' : '.'}`;
    const longer = told ? told + separator + sentence : sentence;
    if (longer.length <= charactersMax && !told.includes(text)) told = longer;
  }
  if (told.length >= charactersMin) return told;
  const known = [name.short, name.tagline ?? category, developer, storeName(store)].filter(
    part => part !== null,
  );
  return [told, known.join(' · ')].filter(Boolean).join(' ').slice(0, charactersMax);
}
