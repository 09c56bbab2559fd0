import type { Material } from './listing/material.ts';
import { findBrand, isForeignBrand } from './text-filters.ts';

export type HashtagsRequest = {
  material: Material;
  /** The app's own name is no tag. */
  isNameless: boolean;
  /** Matches the words that the brand avoids. */
  avoided: RegExp;
};

const tagsWanted = 3;
const tagMax = 23;

/**
 * Three hashtags without an avoided word: the app's name, what its subtitle says it is, its category;
 * never another product. Tags that fit any app are used where those are fewer.
 */
export function writeHashtags({ material, isNameless, avoided }: HashtagsRequest): string[] {
  const { name, category, store, language } = material;
  const brand = toTag(name.short);
  const platform = store === null ? [] : [store === 'apple' ? 'ios' : 'android'];
  const own = [
    ...partsOf(name.tagline ?? ''),
    ...(name.tagline !== null || isTag(brand) ? [] : partsOf(name.short)),
    name.tagline === null && language === 'en' ? restOf(name.short) : '',
    categoryOf(category, language),
  ];
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

/** "Bill Splitter & Group Expenses": two parts; a long one is no tag. */
function partsOf(tagline: string): string[] {
  const parts = tagline
    .replace(/\s?\([^)]*\)?/gu, '')
    .split(
      /\s*[&,:|+•·/、・]\s*|\s[–—-]\s|\s(?:and|und|y|et|e|for|für|para|pour|per|with|mit|con|avec|com)\s/iu,
    )
    .filter(Boolean);
  return parts
    .filter(part => !part.includes('/') && part.split(/\s+/u).length <= 4 && toTag(part).length <= tagMax)
    .map(part => part.replace(article, ''));
}

/** "Wingbeat Bird Journal": a bird journal; "Nudge Me Later", "Dictée du Soir" and "Potager Partagé" have none. */
const restOf = (name: string) =>
  /(?<=^\S+ )(?!(?:Me|My|It|You|Us|With|For|And|The|To|Of|In|On) )(?:\p{Lu}\S* ?)+$/u.exec(name)?.[0] ?? '';

/** "Health & Fitness" and "FOOD_AND_DRINK" as words; none for categories that say nothing. */
function categoryOf(category: string | null, language: string): string {
  const words = (category ?? '')
    .toLowerCase()
    .replace(/&/g, language === 'en' ? 'and' : '')
    .replace(/_/g, ' ')
    .trim();
  return /^(?:tools|utilities|reference|lifestyle|business|games?|entertainment)?$/.test(words) ? '' : words;
}

const article =
  /^\s*(?:an?|the|your|ein|eine|der|die|das|den|dem|un|una|el|la|los|las|le|les|um|uma|os|as|il)\s/iu;
/** "İ" in lower case has a dot too many. */
const toTag = (text: string) => `#${text.toLowerCase().replace(/(?<=i)\u0307|[^\p{L}\p{M}\p{N}]/gu, '')}`;
const isTag = (tag: string) => /^#[\p{L}\p{M}\p{N}]{3,24}$/u.test(tag) && /\p{L}/u.test(tag);
