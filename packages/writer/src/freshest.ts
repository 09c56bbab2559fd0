import { type EarlierDeck, indexLines, overlapMax } from './overlap.ts';

export type Freshest = {
  /** Lines that were never used first, then those used longest ago; where that is equal, in the order given. */
  sort: (lines: readonly string[]) => string[];
  /** Up to `count` of the lines, the first of that order. */
  choose: (lines: readonly string[], count: number) => string[];
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
  return {
    sort,
    choose(lines, count) {
      const left = sort(lines);
      const chosen: string[] = [];
      for (const isStrict of [true, false]) {
        for (const line of left) {
          if (chosen.length >= count) return chosen;
          if (chosen.includes(line) || (isStrict && [...usesOf(line)].some(i => shared[i]! >= sharedMax)))
            continue;
          take(line);
          chosen.push(line);
        }
      }
      return chosen;
    },
  };
}
