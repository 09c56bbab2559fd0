import { contentWordsOf, countContentWords } from './distinct.ts';
import { loadPacks, selectUnits, type Unit } from './packs.ts';
import { createRecall, listingsMax } from './recall.ts';

/** With fewer, an app would get the same few decks again and again. */
const keptMin = 2;

/**
 * The half of the applicable units that is nearest to the listing: a deck about freezers for an app that
 * tracks what is in one. Units written for something in the listing appear twice, which doubles their chance
 * of being drawn.
 */
export function closestUnits<T extends Unit>(units: readonly T[], haystack: string, language: string): T[] {
  const fitting = selectUnits(units, haystack);
  const weights = recallWeights(`${language}\n${haystack}`, () => weighWords(haystack, language));
  const scores = new Map(fitting.map(unit => [unit, scoreOf(unit, weights)]));
  const ranked = [...scores.values()].toSorted((one, other) => other - one);
  const scoreMin = ranked[Math.max(keptMin, Math.ceil(ranked.length / 2)) - 1] ?? 0;
  return fitting.filter(unit => scores.get(unit)! >= scoreMin);
}

/** Weighs the words of a listing: more often in the listing and in fewer units is heavier. */
function weighWords(haystack: string, language: string): Map<string, number> {
  const { frequency, total } = corpusOf(language);
  return new Map(
    [...countContentWords(haystack)].flatMap(([word, count]) => {
      const units = frequency.get(word);
      return units === undefined ? [] : [[word, Math.log1p(count) * Math.log(total / units)] as const];
    }),
  );
}

const recallWeights = createRecall<Map<string, number>>(listingsMax);

function scoreOf(unit: Unit, weights: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const word of wordsOf(unit)) score += weights.get(word) ?? 0;
  return score;
}

type Corpus = { frequency: ReadonlyMap<string, number>; total: number };
const corpora = new Map<string, Corpus>();

/** Number of units of a language that contain each word. */
function corpusOf(language: string): Corpus {
  let corpus = corpora.get(language);
  if (!corpus) {
    const units = loadPacks(language).flatMap(({ lists, lessons, changes, scenes, sparks }): Unit[] => [
      ...lists,
      ...lessons,
      ...changes,
      ...scenes,
      ...sparks,
    ]);
    const frequency = new Map<string, number>();
    for (const word of units.flatMap(unit => [...wordsOf(unit)]))
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    corpus = { frequency, total: units.length };
    corpora.set(language, corpus);
  }
  return corpus;
}

const known = new WeakMap<Unit, ReadonlySet<string>>();

function wordsOf(unit: Unit): ReadonlySet<string> {
  let words = known.get(unit);
  if (!words) {
    const { captions: _, ...told } = unit;
    words = contentWordsOf(Object.values(told).flat().join(' '));
    known.set(unit, words);
  }
  return words;
}
