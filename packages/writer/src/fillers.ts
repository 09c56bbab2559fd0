import { findPromisedCount } from '@hookline/deck';
import data from '../data/fillers.json' with { type: 'json' };
import type { Material } from './listing/material.ts';

/** What a deck needs beyond the listing's own words: for a promised count, and for the store. */
export type Fillers = {
  /** Covers that promise {n} things; `nameless` ones do not name the app. */
  covers: string[];
  /** Covers that promise nothing. */
  plainCovers: string[];
  lines: string[];
  direct: string;
};

type Store = NonNullable<Material['store']>;
const { about: _, ...languages } = data;
const storeNames: Record<Store, string> = { apple: 'App Store', google: 'Google Play' };

export const storeName = (store: Material['store']): string | null =>
  store === null ? null : storeNames[store];

/** What is behind a number of things in languages without spaces around it. */
const counters: Record<string, string> = { ja: '選', zh: '个', ko: '가지' };

/** In the language of the listing; in one without sentences of ours, of names and numbers alone. */
export function fillersOf(
  { name, language, store, category }: Material,
  isNameless: boolean,
  count: number,
): Fillers {
  const app = name.short;
  const told = (languages as Partial<Record<string, (typeof languages)['en']>>)[language];
  const stored = storeName(store) ?? 'App';
  const named = [app, `${app} · ${stored}`, `${app} (${stored})`];
  const kind = category !== null && findPromisedCount(category) === null ? category : 'App';
  const of = isNameless ? kind : app;
  const numbered = Array.from({ length: count }, (__, i) => `${of} · ${i + 1}/${count}`);
  if (told === undefined) {
    const counted = counters[language] === undefined ? `Top ${count}` : `${count}${counters[language]}`;
    return {
      covers: [`${of}: ${counted}`, `${counted} · ${of}`, `${of} (${counted})`],
      plainCovers: isNameless ? [of, stored, `${of} · ${stored}`, 'Apps'] : named,
      lines: numbered,
      direct: `${app} · ${stored}`,
    };
  }
  const fields: Record<string, string | number> = {
    '{app}': app,
    '{n}': count,
    '{store}': store ? told.stores[store] : '',
  };
  const fill = (text: string) => text.replace(/\{\w+\}/g, field => String(fields[field]));
  return {
    covers: (isNameless ? told.namelessCovers : told.covers).map(fill),
    plainCovers: isNameless ? told.plainNamelessCovers : named,
    lines: [...told.lines, ...numbered],
    direct: fill(store ? told.get : told.try),
  };
}

/** "Traffic? No." is one name. */
export const joinName = (parts: readonly string[]) => parts.join(/[?!]$/u.test(parts[0] ?? '') ? ' ' : ' – ');

/** The app's name, its subtitle and its store. @param avoided matches the words that the brand avoids */
export function closingOf({ name, store, openings, lines }: Material, avoided: RegExp): string {
  const { tagline } = name;
  const isNew =
    tagline !== null && !tagline.toLowerCase().includes(name.short.toLowerCase()) && !avoided.test(tagline);
  const named = joinName(isNew ? [name.short, tagline] : [name.short]);
  const soft = [named, storeName(store)].filter(part => part !== null).join(' · ');
  const isOnSlide = [...openings, ...lines.map(({ text }) => text)].includes(soft);
  return isOnSlide ? `${soft} · App` : soft;
}
