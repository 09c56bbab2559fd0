import type { CtaMode, SeededRandom } from '@hookline/deck';
import { findUnusedFeatures } from './bodies.ts';
import { similarityOf } from './distinct.ts';
import { type Frames, fillFrame, getFrames } from './frames.ts';
import { featureSlots, isOrder } from './hook-frames.ts';
import type { Feature } from './listing/features.ts';
import type { Material } from './listing/material.ts';
import { readSubject } from './listing-decks/subject.ts';
import { type Entry, getDefaultPack, type Pack, selectEntries } from './packs.ts';
import { hasBannedPhrase } from './text-filters.ts';
import { isTrueOf } from './true-of-listing.ts';

type ClosingRequest = {
  pack: Pack;
  material: Material;
  language: string;
  haystack: string;
  bodies: readonly string[];
  /** Captions written for this deck only; undefined uses the pack's. */
  captions: readonly string[] | undefined;
  hook: string;
  ctaMode: CtaMode;
  random: SeededRandom;
};

const wordsOf = (text: string) => text.split(/\s+/).length;

/** The soft line: names the app once in a useful sentence of 5 to 18 words, without asking to install it. */
export function writeSoftLine(request: ClosingRequest): string {
  const { pack, material, haystack, bodies, language, random } = request;
  const app = material.name.short;
  const frames = getFrames(language);
  const fromListing = findUnusedFeatures(request, bodies).flatMap(feature => {
    const pool = softFrames(frames, feature);
    const skeleton = pool.length > 0 ? random.pick(pool) : null;
    return skeleton ? [fillFrame(skeleton, { app, ...featureSlots(feature, language) })] : [];
  });
  const fromPack = applicable(pack.soft, haystack)
    .filter(text => isTrueOf(text, material.haystack, language))
    .map(text => fillFrame(text, { app }));
  const isGood = (text: string) =>
    wordsOf(text) >= 4 && wordsOf(text) <= 18 && text.length <= 120 && !hasBannedPhrase(text);
  const own = fromListing.filter(isGood);
  // Two of three decks use the listing's statements, the rest the category's. Lines that fit any app are the
  // last resort.
  const isOwn = own.length > 0 && (random.integer(1, 3) > 1 || pack.id === 'default');
  const pool = isOwn ? own : fromPack.filter(isGood);
  return pool.length > 0 ? random.pick(pool) : fillFrame(frames.madeBy, { app });
}

const wordsOfActMin = 3;

function softFrames(frames: Frames, feature: Feature): string[] {
  if (feature.form === 'noun') return frames.softNouns;
  if (feature.form === 'predicate') return frames.softPredicates;
  if (feature.form === 'clause') return frames.softClauses;
  // "Wear gloves" is advice, not something an app enables.
  if (feature.text.split(' ').length < wordsOfActMin) return [];
  return isGiven(feature) ? frames.softActs.slice(-1) : frames.softActs;
}

/** "Get a nudge" is not something a reader does; the last frame says "with X you get a nudge". */
const isGiven = ({ text }: { text: string }) => /^get\b/i.test(text);

/** The direct line: one verb, one object, at most 12 words. */
export function writeDirectLine({ pack, material, haystack, language, random }: ClosingRequest): string {
  const app = material.name.short;
  const frames = getFrames(language);
  const ofListing =
    material.language === language
      ? material.features.flatMap(feature =>
          directFrames(frames, feature).map(skeleton =>
            fillFrame(skeleton, { app, ...featureSlots(feature, language) }),
          ),
        )
      : [];
  const own = ofListing.filter(text => wordsOf(text) <= 12);
  if (pack.id === 'default' && own.length > 0 && random.integer(1, 3) > 1) return random.pick(own);
  const candidates = [
    ...own,
    ...applicable(pack.direct, haystack)
      .filter(text => isTrueOf(text, material.haystack, language))
      .map(text => fillFrame(text, { app })),
  ];
  const store = storeName(material, language);
  if (store) candidates.push(fillFrame(frames.onStore, { app, store }));
  return random.pick(
    candidates.length > 0 ? candidates : frames.plainDirect.map(text => fillFrame(text, { app })),
  );
}

function directFrames(frames: Frames, feature: Feature): string[] {
  if (feature.form === 'noun') return frames.directNouns;
  if (!isOrder(feature) || isGiven(feature) || feature.text.split(' ').length < wordsOfActMin) return [];
  // "Open it and spot gaps and offer them" has one "and" too many.
  return / and /.test(feature.text) ? frames.directActs.slice(-1) : frames.directActs;
}

/**
 * The caption: the payoff in other words, and a question. Names the app only with `direct`, where the deck
 * names it anyway.
 */
export function writeCaption(request: ClosingRequest): string {
  const { pack, material, haystack, hook, ctaMode, language, random } = request;
  const { specific, general } = selectEntries(pack.captions, haystack);
  const own = request.captions ?? [...specific, ...general];
  const captions = own.filter(text => similarityOf(text, hook) < 0.6);
  const caption = random.pick(
    captions.length > 0 ? captions : applicable(getDefaultPack(language).captions, haystack),
  );
  const store = storeName(material, language);
  return ctaMode === 'direct' && store
    ? `${caption} ${fillFrame(getFrames(language).onStore, { app: material.name.short, store })}`
    : caption;
}

/**
 * 3 to 5 hashtags: the category's first, then those that fit the listing, then the brand unless the deck does
 * not name it.
 */
export function writeHashtags({
  pack,
  material,
  haystack,
  language,
  ctaMode,
  random,
}: ClosingRequest): string[] {
  const { specific, general } = selectEntries(pack.hashtags, haystack);
  const named = pack.id === 'default' ? tagsOfListing(material, language) : [];
  const [first, ...rest] = [...named, ...general, ...specific];
  // The pack's first tag is the category; tags that name something in the listing come before the rest.
  const others = [
    ...named,
    ...random.shuffle(specific),
    ...random.shuffle(rest.filter(tag => !specific.includes(tag))),
  ];
  const tags = [first!, ...others.filter(tag => tag !== first)].slice(0, 4);
  const brand = material.name.short.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const isBrandTag = /^[\p{L}\p{N}]{3,30}$/u.test(brand) && /\p{L}/u.test(brand);
  if (ctaMode !== 'none' && isBrandTag) tags.push(`#${brand}`);
  return [...new Set(tags)];
}

/** The app's subject and audiences as tags: "#potteryfiring", "#studiopotters". */
function tagsOfListing(material: Material, language: string): string[] {
  if (material.language !== language) return [];
  return [readSubject(material), ...material.audiences]
    .map(name => `#${(name ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')}`)
    .filter(tag => tag.length >= 5 && tag.length <= 24);
}

function storeName({ store }: Material, language: string): string | null {
  return store ? getFrames(language).stores[store] : null;
}

function applicable(entries: readonly Entry[], haystack: string): string[] {
  const { specific, general } = selectEntries(entries, haystack);
  return [...specific, ...general];
}
