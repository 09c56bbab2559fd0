import type { SeededRandom } from '@hookline/deck';
import { findPromisedCount } from '@hookline/deck';
import { contentWordsOf, similarityOf } from './distinct.ts';
import { fillFrame, getFrames } from './frames.ts';
import { adviceHooks, type DraftedHook, featureHooks } from './hook-frames.ts';
import { isGoodHook } from './hook-measure.ts';
import type { Material } from './listing/material.ts';
import { listTexts, type Pack } from './packs.ts';
import type { Archetype } from './port.ts';
import { hasBannedPhrase, hasClaim } from './text-filters.ts';
import { upperFirst } from './upper-first.ts';

const optionsMax = 5;
const optionsMin = 3;

export type HookRequest = {
  archetype: Archetype;
  /** Body slides; a count in a hook equals it (D-38). */
  count: number;
  pack: Pack;
  material: Material;
  language: string;
  haystack: string;
  topic: string;
  /** Hooks written for the chosen bodies. */
  own: DraftedHook[];
  bodies: readonly string[];
  random: SeededRandom;
};

/** 3 to 5 distinct hooks that all fit the deck, the chosen one first (D-47). */
export function writeHooks(request: HookRequest): DraftedHook[] {
  const { archetype, count, random, material, own } = request;
  const isCounted = archetype === 'listicle' && count >= 2;
  const opening = openingHooks(request).map(asIs);
  // Where no category fits, a question that opens the listing is one of the covers; a statement could promise
  // something the deck does not cover.
  const questions =
    request.pack.id === 'default' && archetype !== 'pov_results' && random.integer(1, 6) === 1
      ? opening.filter(({ text }) => text.endsWith('?'))
      : [];
  const pools = isCounted
    ? [topicHooks(request), own.length > 0 ? own : adviceHooks(request)]
    : [topicHooks(request), questions, archetype === 'listicle' ? plainHooks(request) : own];
  const chosen: DraftedHook[] = [];
  // Every other deck opens with a word of its listing if possible, two of three where the pack fits any app;
  // always doing so would repeat the same few hooks.
  const prefersAnchored = random.integer(1, 6) > (request.pack.id === 'default' ? 2 : 3);
  const take = (pool: readonly DraftedHook[], max: number) => {
    const drawn = random.shuffle(pool);
    for (const hook of prefersAnchored ? anchoredFirst(drawn, material) : drawn) {
      if (chosen.length >= max) return;
      const promised = findPromisedCount(hook.text);
      const keepsCount = isCounted ? promised === count : promised === null;
      const isNew = chosen.every(other => similarityOf(hook.text, other.text) < 0.9);
      if (keepsCount && isNew && isGoodHook(hook.text)) chosen.push(hook);
    }
  };
  for (const pool of pools) take(pool, optionsMax);
  if (chosen.length >= optionsMin) return chosen;
  // Hooks not written for these slides fit them only by chance, so they only fill up.
  const others = isCounted ? [adviceHooks(request)] : [opening, featureHooks(request), plainHooks(request)];
  for (const pool of others) take(pool, optionsMin);
  take(lastResort(request, isCounted), optionsMin);
  return chosen;
}

const asIs = (text: string): DraftedHook => ({ text, skeleton: text });

/** Moves hooks that share a word with the listing before those that fit any app of the category. */
export function anchoredFirst(hooks: readonly DraftedHook[], material: Material): DraftedHook[] {
  const words = contentWordsOf(material.haystack);
  const isAnchored = ({ text }: DraftedHook) => [...contentWordsOf(text)].some(word => words.has(word));
  const anchored = hooks.filter(isAnchored);
  return [...anchored, ...hooks.filter(hook => !anchored.includes(hook))];
}

function plainHooks({ pack, haystack }: HookRequest): DraftedHook[] {
  return listTexts(pack.hooks.plain, haystack).map(asIs);
}

/**
 * Short opening sentences of the listing that do not name the app: the developer's own words make the best
 * hook.
 */
export function openingHooks({ material, language }: Pick<HookRequest, 'material' | 'language'>): string[] {
  if (material.language !== language) return [];
  return material.sentences.slice(0, 6).flatMap((sentence, i) => {
    const text = sentence.replace(/[.]$/, '');
    const words = text.split(/\s+/).length;
    const namesApp = text.toLowerCase().includes(material.name.short.toLowerCase());
    const leans =
      /^(?:para|für|for|made|hech[oa]|gemacht|perfect|it|they|that|this|then|and|but|so|you can|we|er|sie|es)\b/i.test(
        text,
      );
    const isWhole = words >= 4 && words <= 12 && /^[\p{Lu}\d¿¡].*[\p{L}?]$/u.test(text) && !leans;
    // Later sentences depend on the ones before them, unless they are self-contained.
    const isOpening = i === 0 || /^(?:most|some|big|stop|nothing|nobody)\b/i.test(text);
    return isWhole && isOpening && !namesApp ? [text] : [];
  });
}

/** A topic goes before a colon, where any wording fits: "How to save money: 5 small rules". */
function topicHooks({ topic, archetype, count, language }: HookRequest): DraftedHook[] {
  const clean = topic
    .replace(/\s+/g, ' ')
    .replace(/[.:;,!?]+$/, '')
    .trim();
  const isUsable = clean.length >= 3 && clean.length <= 45 && clean.split(' ').length <= 7;
  if (!isUsable || /[{}]|[^\p{sc=Latn}\p{N}\p{P}\p{Zs}]/u.test(clean)) return [];
  if (hasClaim(clean) || hasBannedPhrase(clean)) return [];
  const kind = archetype === 'listicle' && count >= 2 ? 'counted' : archetype;
  return getFrames(language).topics[kind].map(skeleton => ({
    text: fillFrame(skeleton, { topic: upperFirst(clean), n: count }),
    skeleton,
  }));
}

function lastResort({ count, language }: HookRequest, isCounted: boolean): DraftedHook[] {
  const { counted, plain } = getFrames(language).lastResort;
  return (isCounted ? counted : plain).map(skeleton => ({
    text: fillFrame(skeleton, { n: count }),
    skeleton,
  }));
}
