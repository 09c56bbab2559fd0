import { type SeededRandom, seedRandom } from '@hookline/deck';
import { closestUnits } from './closest.ts';
import { contentWordsOf, similarityOf } from './distinct.ts';
import { chooseLanguage } from './frames.ts';
import { adviceHooks, audienceHooks, type DraftedHook, featureHooks, fillCovers } from './hook-frames.ts';
import { isGoodHook } from './hook-measure.ts';
import { anchoredFirst, openingHooks } from './hooks.ts';
import { extractMaterial, type Material, type MaterialSource } from './listing/material.ts';
import { seedCovers } from './listing-decks/listing-hooks.ts';
import { choosePack, listTexts, type Pack, selectUnits } from './packs.ts';

export const seedHooksMax = 15;
/** With at least this many, an app that fits no category needs no generic hooks. */
const enough = 10;

/**
 * Up to 15 distinct hooks for an app, of every archetype, the same for the same listing; `listingKey` is
 * store and id. The listing's own hooks come first (its opening, its features, its audiences), then those of
 * the category's pack.
 */
export function writeSeedHooks(app: MaterialSource, listingKey: string): string[] {
  const random = seedRandom(listingKey, 'seed hooks');
  const material = extractMaterial(app);
  const language = chooseLanguage(material.language);
  const { haystack } = material;
  const pack = choosePack(material.category, haystack, '', language, material.language);
  const source = { material, language, haystack, pack, random };
  const named = [openingHooks(source), featureHooks(source).slice(0, 4).map(textOf)];
  const people = audienceHooks(source).slice(0, 2).map(textOf);
  const own = pack.id === 'default' ? seedCovers(source).map(group => group.map(textOf)) : [];
  const plain = anchoredFirst(random.shuffle(listTexts(pack.hooks.plain, haystack).map(asIs)), material);
  const ofPack = [countedHooks(source, listingKey), ...unitHooks(pack, material, random)];
  if (own.length === 0) return takeInTurn([...named, ...ofPack, people, plain.map(textOf)], seedHooksMax);
  // Hooks from the generic pack come after those about this app's subject.
  const hooks = takeInTurn([...named, ...own], seedHooksMax);
  return hooks.length >= enough ? hooks : takeInTurn([hooks, ...ofPack, people], seedHooksMax);
}

const textOf = ({ text }: DraftedHook) => text;
const asIs = (text: string): DraftedHook => ({ text, skeleton: text });

/** Takes one from each group in turn, skipping those that say the same as an earlier one. */
function takeInTurn(groups: readonly string[][], max: number): string[] {
  const chosen: string[] = [];
  const longest = Math.max(...groups.map(group => group.length));
  for (let i = 0; i < longest; i++) {
    for (const group of groups) {
      const hook = group[i];
      if (hook && isGoodHook(hook) && chosen.every(other => isUnlike(other, hook))) chosen.push(hook);
    }
  }
  return chosen.slice(0, max);
}

const bare = (hook: string) => hook.toLowerCase().replace(/\d+/g, '#');

function isUnlike(one: string, other: string): boolean {
  return bare(one) !== bare(other) && similarityOf(bare(one), bare(other)) < 0.6;
}

/**
 * Hooks for lists of different lengths, each from a different template; those that name something in the
 * listing come first.
 */
function countedHooks(
  source: Omit<Parameters<typeof adviceHooks>[0], 'count'>,
  listingKey: string,
): string[] {
  const { material, random, pack, haystack } = source;
  const written = closestUnits(pack.lists, haystack, source.language).flatMap(({ hooks }) => hooks);
  const used = new Set<string>();
  return random.shuffle([3, 4, 5, 6, 7, 8]).flatMap((count, i) => {
    const own = seedRandom(listingKey, `list ${i}`);
    const asked = { ...source, count, random: own };
    const drawn = own.shuffle(fillCovers([...new Set(written)], asked));
    const hooks = anchoredFirst([...drawn, ...adviceHooks(asked)], material);
    const hook = hooks.find(({ skeleton }) => !used.has(skeleton));
    if (!hook) return [];
    used.add(hook.skeleton);
    return [hook.text];
  });
}

/**
 * The hooks of the pack's decks that share a word with the listing, then those of the units that fit it, by
 * archetype.
 */
function unitHooks(pack: Pack, material: Material, random: SeededRandom): string[][] {
  const words = contentWordsOf(material.haystack);
  const hits = (hook: string) => [...contentWordsOf(hook)].filter(word => words.has(word)).length;
  return [pack.lessons, pack.scenes, pack.changes, pack.sparks].map(units => {
    const fitting = new Set(selectUnits<{ when: string[]; hooks: string[] }>(units, material.haystack));
    const hooks = [...fitting].flatMap(unit => unit.hooks);
    return random.shuffle(hooks).toSorted((one, other) => hits(other) - hits(one));
  });
}
