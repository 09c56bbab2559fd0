import type { Material } from './listing/material.ts';
import { findBrand, isForeignBrand } from './text-filters.ts';
import { isStopWord } from './words.ts';

export type HashtagsRequest = {
  material: Material;
  /** The app's own name is no tag. */
  isNameless: boolean;
  /** Matches the words that the brand avoids. */
  avoided: RegExp;
};

const tagsWanted = 3;
/** Letters of a word of the listing that can be a tag, and how often it is there. */
const wordMin = 6;
const timesMin = 3;

/**
 * Three hashtags without an avoided word: the app's name, what its subtitle says it is, its category, a word that the
 * listing repeats; never another product. Tags that fit any app are used where those are fewer.
 */
export function writeHashtags({ material, isNameless, avoided }: HashtagsRequest): string[] {
  const { name, category, store } = material;
  const brand = toTag(name.short);
  const platform = store === null ? [] : [store === 'apple' ? 'ios' : 'android'];
  const own = [...partsOf(name.tagline ?? ''), categoryOf(category), ...repeatedWords(material)];
  const isShown = (tag: string) =>
    isTag(tag) &&
    !avoided.test(tag) &&
    !isForeignBrand(tag, name.short) &&
    !(isNameless && tag.includes(brand.slice(1)));
  const isOwn = (text: string) => {
    const other = findBrand(text);
    return other === null || name.short.includes(other);
  };
  const tags = [...own.filter(isOwn), ...platform, 'app', 'apps', 'mobile'].map(toTag);
  const named = isNameless ? tags : [tags[0]!, brand, ...tags.slice(1)];
  return [...new Set(named.filter(isShown))].slice(0, tagsWanted);
}

/** "Bill Splitter & Group Expenses": two parts; a longer one gives its words. */
function partsOf(tagline: string): string[] {
  const parts = tagline
    .split(
      /\s*[&,:|+•·/、・]\s*|\s[–—-]\s|\s(?:and|und|y|et|e|for|für|para|pour|per|with|mit|con|avec|com)\s/iu,
    )
    .filter(Boolean);
  return parts.flatMap(part => {
    const words = part.split(/\s+/u);
    return words.length <= 3 && toTag(part).length <= 22
      ? [part]
      : words.filter(word => word.length >= wordMin);
  });
}

function repeatedWords({ lines, openings, name, language }: Material): string[] {
  const words =
    [...openings.slice(0, 1), ...lines.map(({ text }) => text)]
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, times]) => word.length >= wordMin && times >= timesMin && !isStopWord(word, language))
    .filter(
      ([word]) =>
        /\p{sc=Latin}|\p{sc=Cyrl}|\p{sc=Grek}/u.test(word) && !name.short.toLowerCase().includes(word),
    )
    .toSorted(([, one], [, other]) => other - one)
    .map(([word]) => word);
}

/** "Health & Fitness" and "FOOD_AND_DRINK" as words; none for categories that say nothing. */
function categoryOf(category: string | null): string {
  const words = (category ?? '').toLowerCase().replace(/&/g, 'and').replace(/_/g, ' ').trim();
  return /^(?:tools|utilities|reference|lifestyle|business|games?|entertainment)?$/.test(words) ? '' : words;
}

const toTag = (text: string) =>
  `#${text
    .toLowerCase()
    .replace(/^\s*(?:an?|the|your|ein|eine|un|una|el|la|los|las)\s/, '')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')}`;
const isTag = (tag: string) => /^#[\p{L}\p{M}\p{N}]{3,24}$/u.test(tag) && /\p{L}/u.test(tag);
