import { type EarlierDeck, indexLines, overlapMax } from './overlap.ts';

export type Freshest = {
  /** Lines that were never used first, then those used longest ago; where that is equal, in the order given. */
  sort: (lines: readonly string[]) => string[];
  /** Up to `count` of the lines, the first of that order. */
  choose: (lines: readonly string[], count: number) => string[];
  /** The line that was a hook longest ago. */
  chooseHook: (lines: readonly string[]) => string;
  /** The lines that never were a hook, or the half that was longest ago, in the order of `chooseHook`. */
  freeHooks: (lines: readonly string[]) => string[];
};

/**
 * Chooses lines of a deck so that it shares at most half of them with any earlier one, while there are such lines.
 * @param all every line that may be chosen
 * @param length how many lines the deck has
 * @param decks newest first
 */
export function createFreshest(
  all: readonly string[],
  { decks, length, language }: { decks: readonly EarlierDeck[]; length: number; language: string },
): Freshest {
  const placesOf = indexLines(all, language);
  const uses = new Map<string, Set<number>>(all.map(line => [line, new Set()]));
  for (const [i, { lines }] of decks.entries()) {
    for (const place of lines.flatMap(placesOf)) uses.get(all[place]!)!.add(i);
  }
  const usesOf = (line: string): ReadonlySet<number> => uses.get(line) ?? new Set();
  const ageOf = (line: string): number => usesOf(line).values().next().value ?? decks.length;
  const shared = decks.map(() => 0);
  const sharedMax = Math.floor(overlapMax * length);
  const take = (line: string): void => {
    for (const i of usesOf(line)) shared[i]! += 1;
  };
  const sort: Freshest['sort'] = lines => lines.toSorted((one, other) => ageOf(other) - ageOf(one));
  const isShared = (line: string): boolean => [...usesOf(line)].some(i => shared[i]! >= sharedMax);
  function takeOf(lines: readonly string[], count: number): string[] {
    const chosen: string[] = [];
    for (const isStrict of [true, false]) {
      for (const line of lines) {
        if (chosen.length >= count) return chosen;
        if (chosen.includes(line) || (isStrict && isShared(line))) continue;
        take(line);
        chosen.push(line);
      }
    }
    return chosen;
  }
  const hooks = decks.map(({ lines: [hook = ''] }) => placesOf(hook).map(place => all[place]));
  const hookAgeOf = (line: string): number => hooks.findIndex(alike => alike.includes(line));
  const ranked = (age: number): number => (age === -1 ? decks.length : age);
  function rankHooks(lines: readonly string[]) {
    const ages = new Map(lines.map(line => [line, ranked(hookAgeOf(line))]));
    return { ages, sorted: sort(lines).toSorted((one, other) => ages.get(other)! - ages.get(one)!) };
  }
  return {
    sort,
    choose: (lines, count) => takeOf(sort(lines), count),
    chooseHook: lines => takeOf(rankHooks(lines).sorted, 1)[0]!,
    freeHooks(lines) {
      const { ages, sorted } = rankHooks(lines);
      const fresh = sorted.filter(line => ages.get(line) === decks.length);
      return fresh.length > 1 ? fresh : sorted.slice(0, Math.ceil(sorted.length / 2));
    },
  };
}
