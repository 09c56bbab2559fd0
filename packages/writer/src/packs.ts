import { readdirSync } from 'node:fs';
import type { z } from 'zod';
import { packSchema, readDataFile } from './data-files.ts';
import { createRecall, listingsMax } from './recall.ts';

export type Pack = z.output<typeof packSchema>;
export type Entry = Pack['advice'][number];
export type List = Pack['lists'][number];
export type Lesson = Pack['lessons'][number];
export type Change = Pack['changes'][number];
export type Scene = Pack['scenes'][number];
export type Spark = Pack['sparks'][number];
/** The fields common to the decks of every archetype. */
export type Unit = Pick<List, 'when' | 'hooks' | 'captions'>;

const folder = new URL('../data/packs/', import.meta.url);
const loaded = new Map<string, Pack[]>();

/** Every pack of a language in order of its name, read once. */
export function loadPacks(language = 'en'): Pack[] {
  let packs = loaded.get(language);
  if (!packs) {
    packs = readdirSync(new URL(`${language}/`, folder))
      .filter(file => file.endsWith('.json'))
      .sort()
      .map(file => readDataFile(new URL(`${language}/${file}`, folder), packSchema));
    loaded.set(language, packs);
  }
  return packs;
}

/** The pack that fits any app in a language; every language has one. */
export function getDefaultPack(language = 'en'): Pack {
  return loadPacks(language).find(pack => pack.id === 'default')!;
}

/** From this many characters on, a listing describes its subject. */
const descriptiveMin = 80;

/**
 * The pack whose category and keywords fit best; a topic's words weigh more than the listing's. `default`
 * when none fits. A listing in another language has none of the pack's keywords, so only its category counts.
 */
export function choosePack(
  category: string | null,
  haystack: string,
  topic: string,
  language = 'en',
  listingLanguage = language,
): Pack {
  const wanted = normaliseCategory(category);
  const packs = loadPacks(language);
  // The category is part of the haystack; its own words ("maps and navigation") say nothing about the app.
  const described = category ? haystack.replace(category.toLowerCase(), '') : haystack;
  const listingHits = recallHits(`${language}\n${described}`, () =>
    packs.map(pack => countHits(pack, described)),
  );
  const isOfCategory = ({ id, categories }: Pack) =>
    categories.some(name => normaliseCategory(name) === wanted) ||
    (id === 'games' && wanted.startsWith('game'));
  // Without the category, one word in a long description is chance; in the category of another pack even
  // three are.
  const strangerMin = packs.some(isOfCategory) ? 4 : 3;
  const scored = packs.map((pack, i) => {
    const hits = listingHits[i]!;
    const topicHits = countHits(pack, topic);
    const categoryScore = isOfCategory(pack) ? 3 : 0;
    const isWide = pack.wideCategories?.some(name => normaliseCategory(name) === wanted);
    // A listing that describes its subject but has no word of the category is about something else: a lost
    // property desk in Business. With only a few words, the category has to do.
    const isDescriptive =
      described.length >= descriptiveMin && listingLanguage === language && !pack.needsNoKeyword;
    const hitsMin = isWide ? 2 : isDescriptive || pack.needsKeyword ? 1 : 0;
    const usable = hits >= (categoryScore > 0 ? hitsMin : strangerMin) || topicHits > 0;
    return { pack, score: usable ? categoryScore + Math.min(hits, 4) / 2 + topicHits * 4 : 0 };
  });
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0 ? best.pack : getDefaultPack(language);
}

const recallHits = createRecall<number[]>(listingsMax);

function countHits(pack: Pack, text: string): number {
  const found = pack.keywords.filter(keyword => occursIn(keyword, text));
  // "Children" does not count as a second word next to "child".
  return found.filter(one => !found.some(other => other !== one && one.startsWith(other))).length;
}

function normaliseCategory(category: string | null): string {
  return (category ?? '')
    .toLowerCase()
    .replace(/&|\band\b/g, ' ')
    .replace(/[\s_]+/g, ' ')
    .trim();
}

/**
 * Matches at the start of a word for Latin text ("plant" in "plants"), anywhere for scripts without spaces.
 */
export function occursIn(keyword: string, text: string): boolean {
  const first = text.indexOf(keyword);
  if (first < 0) return false;
  if (!/^[\p{sc=Latn}\d' -]+$/u.test(keyword)) return true;
  for (let at = first; at >= 0; at = text.indexOf(keyword, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}

/**
 * The texts of the applicable entries; those written for something in the listing are separate and come
 * first.
 */
export function selectEntries(
  entries: readonly Entry[],
  haystack: string,
): { specific: string[]; general: string[] } {
  const specific: string[] = [];
  const general: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') general.push(entry);
    else if (entry.when.length === 0) general.push(entry.text);
    else if (entry.when.some(word => occursIn(word, haystack))) specific.push(entry.text);
  }
  return { specific, general };
}

/** All texts that apply, the specific ones first. */
export function listTexts(entries: readonly Entry[], haystack: string): string[] {
  const { specific, general } = selectEntries(entries, haystack);
  return [...specific, ...general];
}

/**
 * The applicable units; those written for something in the listing appear twice, which doubles their chance
 * of being drawn.
 */
export function selectUnits<T extends Pick<Unit, 'when'>>(units: readonly T[], haystack: string): T[] {
  const specific = units.filter(unit => unit.when.some(word => occursIn(word, haystack)));
  return [...specific, ...specific, ...units.filter(unit => unit.when.length === 0)];
}
