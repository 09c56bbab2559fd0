import type { CtaMode } from '../rules/deck-plan.ts';
import type { SeededRandom } from '../rules/seeded-random.ts';
import { findUnusedFeatures, lowerFirst } from './bodies.ts';
import { similarityOf } from './distinct.ts';
import type { Material } from './material.ts';
import { type Entry, getDefaultPack, type Pack, selectEntries } from './packs.ts';
import { hasBannedPhrase } from './text-filters.ts';

type ClosingRequest = {
  pack: Pack;
  material: Material;
  haystack: string;
  bodies: readonly string[];
  hook: string;
  ctaMode: CtaMode;
  random: SeededRandom;
};

const wordsOf = (text: string) => text.split(/\s+/).length;

/** The soft line: the app named once in a useful sentence of 5 to 18 words, no order to install. */
export function writeSoftLine({ pack, material, haystack, bodies, random }: ClosingRequest): string {
  const app = material.name.short;
  const fromListing = findUnusedFeatures(material, bodies).map(feature =>
    feature.form === 'imperative'
      ? `In ${app} you can ${lowerFirst(feature.text)}.`
      : `${app} comes with ${lowerFirst(feature.text)}.`,
  );
  const fromPack = applicable(pack.soft, haystack).map(text => text.replace('{app}', app));
  const candidates = [...fromListing, ...fromPack].filter(
    text => wordsOf(text) >= 5 && wordsOf(text) <= 18 && !hasBannedPhrase(text),
  );
  return candidates.length > 0 ? random.pick(candidates) : `Made by the people behind ${app}.`;
}

/** The direct line: one verb, one object, at most 12 words. */
export function writeDirectLine({ pack, material, haystack, random }: ClosingRequest): string {
  const app = material.name.short;
  const candidates = applicable(pack.direct, haystack).map(text => text.replace('{app}', app));
  const store = storeName(material);
  if (store) candidates.push(`${app} is on ${store}.`);
  return random.pick(candidates);
}

/** The caption: the payoff in other words and a question; the app only with `direct`, where the deck names it anyway. */
export function writeCaption({ pack, material, haystack, hook, ctaMode, random }: ClosingRequest): string {
  const { specific, general } = selectEntries(pack.captions, haystack);
  const captions = [...specific, ...general].filter(text => similarityOf(text, hook) < 0.6);
  const caption = random.pick(
    captions.length > 0 ? captions : applicable(getDefaultPack().captions, haystack),
  );
  const store = storeName(material);
  return ctaMode === 'direct' && store ? `${caption} ${material.name.short} is on ${store}.` : caption;
}

/** 3 to 5 hashtags: the category's first, then what fits the listing, the brand unless the deck keeps quiet about it. */
export function writeHashtags({ pack, material, haystack, ctaMode, random }: ClosingRequest): string[] {
  const { specific, general } = selectEntries(pack.hashtags, haystack);
  const [first, ...rest] = [...specific, ...general];
  const tags = [first!, ...random.shuffle(rest)].slice(0, 4);
  const brand = material.name.short.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isBrandTag = /^[\p{L}\p{N}]{3,30}$/u.test(brand) && /\p{L}/u.test(brand);
  if (ctaMode !== 'none' && isBrandTag) tags.push(`#${brand}`);
  return [...new Set(tags)];
}

function storeName(material: Material): string | null {
  if (material.store === 'apple') return 'the App Store';
  return material.store === 'google' ? 'Google Play' : null;
}

function applicable(entries: readonly Entry[], haystack: string): string[] {
  const { specific, general } = selectEntries(entries, haystack);
  return specific.length > 0 ? specific : general;
}
