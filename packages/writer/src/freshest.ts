import { splitSentences } from './listing/line-text.ts';
import { type EarlierDeck, indexLines, overlapMax } from './overlap.ts';

export type Freshest = {
  /** Lines that were never used first, then those used longest ago; where that is equal, in the order given. */
  sort: (lines: readonly string[]) => string[];
  /**
   * Up to `count` of the lines, the first of that order that share at most half with any earlier deck, with the hook.
   * Fewer, down to `min`, where so many do not.
   */
  choose: (lines: readonly string[], hook: string, count: number, min: number) => string[];
  /** The line that was a hook longest ago. */
  chooseHook: (lines: readonly string[]) => string;
  /** The lines that never were a hook, or the half that was longest ago, in the order of `chooseHook`. */
  freeHooks: (lines: readonly string[]) => string[];
};

/** A cover is the same with another sentence behind it. */
const firstOf = (line: string): string => splitSentences(line)[0]?.replace(/[.!?。！？]+$/u, '') ?? '';

/**
 * Chooses lines of a deck so that it shares at most half of them with any earlier one, while there are such lines.
 * @param all every line that may be chosen
 * @param decks newest first
 */
export function createFreshest(
  all: readonly string[],
  decks: readonly EarlierDeck[],
  language: string,
): Freshest {
  const placesOf = indexLines(all, language);
  const uses = new Map<string, Set<number>>(all.map(line => [line, new Set()]));
  for (const [i, { lines }] of decks.entries()) {
    for (const place of lines.flatMap(placesOf)) uses.get(all[place]!)!.add(i);
  }
  const usesOf = (line: string): ReadonlySet<number> => uses.get(line) ?? new Set();
  const ageOf = (line: string): number => usesOf(line).values().next().value ?? decks.length;
  const sort: Freshest['sort'] = lines => lines.toSorted((one, other) => ageOf(other) - ageOf(one));
  function takeNew(lines: readonly string[], hook: string, count: number): string[] {
    const sharedMax = Math.floor(overlapMax * (count + 1));
    const shared = decks.map((_, i) => Number(usesOf(hook).has(i)));
    const chosen: string[] = [];
    for (const line of lines) {
      const used = [...usesOf(line)];
      if (chosen.length === count || used.some(i => shared[i]! >= sharedMax)) continue;
      for (const i of used) shared[i]! += 1;
      chosen.push(line);
    }
    return chosen;
  }
  const firsts = new Map(all.map(line => [line, firstOf(line)]));
  const hooks = decks.map(({ lines: [hook = ''] }) => {
    const first = firstOf(hook);
    return all.filter((line, place) => firsts.get(line) === first || placesOf(hook).includes(place));
  });
  const hookAgeOf = (line: string): number => hooks.findIndex(alike => alike.includes(line));
  const ranked = (age: number): number => (age === -1 ? decks.length : age);
  function rankHooks(lines: readonly string[]) {
    const ages = new Map(lines.map(line => [line, ranked(hookAgeOf(line))]));
    return { ages, sorted: sort(lines).toSorted((one, other) => ages.get(other)! - ages.get(one)!) };
  }
  return {
    sort,
    choose(lines, hook, count, min) {
      const sorted = sort([...new Set(lines)]);
      for (let length = Math.min(count, sorted.length); length >= min; length -= 1) {
        const chosen = takeNew(sorted, hook, length);
        if (chosen.length === length) return chosen;
      }
      return [...new Set([...takeNew(sorted, hook, count), ...sorted])].slice(0, count);
    },
    chooseHook: lines => rankHooks(lines).sorted[0]!,
    freeHooks(lines) {
      const { ages, sorted } = rankHooks(lines);
      const fresh = sorted.filter(line => ages.get(line) === decks.length);
      return fresh.length > 1 ? fresh : sorted.slice(0, Math.ceil(sorted.length / 2));
    },
  };
}
