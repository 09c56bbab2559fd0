import { contentWordsOf, countContentWords } from './distinct.ts';
import { loadPacks, selectUnits, type Unit } from './packs.ts';
import { createRecall, listingsMax } from './recall.ts';

/** Fewer would be the same few decks for an app again and again. */
const keptMin = 2;

/**
 * The units that apply to a listing and, of these, the half that is nearest to it: a deck about freezers for an app that counts what
 * is in one. Those written for something in the listing stand twice, so that they are drawn twice as often.
 */
export function closestUnits<T extends Unit>(units: readonly T[], haystack: string, language: string): T[] {
  const fitting = selectUnits(units, haystack);
  const weights = recallWeights(`${language}\n${haystack}`, () => weighWords(haystack, language));
  const scores = new Map(fitting.map(unit => [unit, scoreOf(unit, weights)]));
  const ranked = [...scores.values()].toSorted((one, other) => other - one);
  const scoreMin = ranked[Math.max(keptMin, Math.ceil(ranked.length / 2)) - 1] ?? 0;
  return fitting.filter(unit => scores.get(unit)! >= scoreMin);
}

/** The words of a listing: a word weighs the more, the oftener the listing has it and the fewer units do. */
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

/** In how many units of a language each word stands. */
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
