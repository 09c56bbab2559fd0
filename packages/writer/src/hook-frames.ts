import type { SeededRandom } from '@hookline/deck';
import { type Frames, fillFrame, getFrames } from './frames.ts';
import { isGoodHook } from './hook-measure.ts';
import { addArticle, type Feature, lowerFirst } from './listing/features.ts';
import type { Material } from './listing/material.ts';
import { listTexts, type Pack } from './packs.ts';

/** A hook and the template it was made from, which distinguishes a repeated template from a new hook. */
export type DraftedHook = { text: string; skeleton: string };

type Source = { pack: Pack; haystack: string; material: Material; language: string; random: SeededRandom };

/** The pack's hooks with a count that fit any of its advice, each filled once. */
export function adviceHooks(source: Source & { count: number }): DraftedHook[] {
  return fillCovers(listTexts(source.pack.hooks.listicle, source.haystack), source);
}

/** Hooks with {n}, and maybe {aud}: the audience that the listing names, or else the pack's. */
export function fillCovers(
  skeletons: readonly string[],
  { pack, haystack, material, language, random, count }: Source & { count: number },
): DraftedHook[] {
  const isNamed = material.language === language && material.audiences.length > 0;
  const audiences = isNamed ? material.audiences : listTexts(pack.audiences, haystack);
  return skeletons
    .map(skeleton => ({
      text: fillFrame(skeleton, { n: count, aud: random.pick(audiences) }),
      skeleton,
    }))
    .filter(({ text }) => isGoodHook(text));
}

/** Hooks from the listing's own features: "What changes when you split any bill in seconds". */
export function featureHooks({ material, language, random }: Source): DraftedHook[] {
  if (material.language !== language) return [];
  const frames = getFrames(language);
  const acts = random.shuffle(frames.imperativeHooks);
  const nouns = random.shuffle(frames.nounHooks);
  let act = 0;
  let noun = 0;
  return random
    .shuffle(material.features.filter(feature => feature.form === 'noun' || isOrder(feature)))
    .map(feature => {
      const isNoun = feature.form === 'noun';
      const pool = isNoun ? nouns : acts;
      const skeleton = pool[(isNoun ? noun++ : act++) % Math.max(1, pool.length)];
      return skeleton
        ? { text: fillFrame(skeleton, featureSlots(feature, language)), skeleton }
        : { text: '', skeleton: '' };
    })
    .filter(({ text }) => isGoodHook(text));
}

/** The values of {act}, {noun}, {does} and {clause} for a feature; its form decides which of them is set. */
export function featureSlots(feature: Feature, language: string): Record<string, string> {
  // A German noun keeps its capital; only an infinitive may follow a determiner or an adjective.
  const keepsCapital = language === 'de' && feature.form === 'noun';
  const phrase = keepsCapital ? feature.text : lowerFirst(feature.text, language);
  const noun = language === 'en' && feature.form === 'noun' ? addArticle(phrase) : phrase;
  const does = feature.form === 'predicate' ? phrase.charAt(0).toLowerCase() + phrase.slice(1) : phrase;
  return { act: phrase, noun, does, clause: phrase };
}

/** True for something the reader can do: "Split any bill", "Rezepte abfotografieren". */
export const isOrder = ({ form }: Feature): boolean => form === 'imperative' || form === 'infinitive';

/**
 * A line of the pack addressed to the audience that the listing names: "Dear shift workers: half a page is
 * still writing."
 */
export function audienceHooks({ pack, haystack, material, language, random }: Source): DraftedHook[] {
  if (material.language !== language) return [];
  const frames: Frames = getFrames(language);
  const lines = random.shuffle(listTexts(pack.lines, haystack));
  return random.shuffle(material.audiences).flatMap((aud, i) => {
    const skeleton = frames.audienceHooks[i % Math.max(1, frames.audienceHooks.length)];
    const line = lines[i];
    if (!skeleton || !line) return [];
    const text = fillFrame(skeleton, { aud, line: lowerFirst(line.replace(/[.]$/, ''), language) });
    return isGoodHook(text) ? [{ text, skeleton }] : [];
  });
}
