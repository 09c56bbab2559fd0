/** Compares words through their inflections, in the languages whose grammar is known. */

import { createRecall } from '@hookline/shared/kernel';
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stopwords as englishStops } from '@orama/stopwords/english';
import { stopwords as frenchStops } from '@orama/stopwords/french';
import { stopwords as germanStops } from '@orama/stopwords/german';
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese';
import { stopwords as spanishStops } from '@orama/stopwords/spanish';
import plainWords from '../data/plain-words.json' with { type: 'json' };

type Grammar = {
  stem: (word: string) => string;
  stops: ReadonlySet<string>;
  plain: ReadonlySet<string>;
  deeds: ReadonlySet<string>;
};

/** Without marks: "Pläne" and "Plan", "canción" and "canciones". */
const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '');

type Vocabulary = [
  stemWord: (word: string) => string,
  stops: readonly string[],
  words: { plain: string; deeds: string },
];

const vocabularies: Readonly<Record<string, Vocabulary>> = {
  en: [stemEnglish, englishStops, plainWords.en],
  de: [stemGerman, germanStops, plainWords.de],
  es: [stemSpanish, spanishStops, plainWords.es],
  fr: [stemFrench, frenchStops, plainWords.fr],
  pt: [stemPortuguese, portugueseStops, plainWords.pt],
};
// All five take 90 ms, so each is made where a deck is first written in its language.
const recallGrammar = createRecall<Grammar>(Object.keys(vocabularies).length);

function grammarOf(language: string): Grammar | undefined {
  const vocabulary = vocabularies[language.slice(0, 2)];
  return vocabulary && recallGrammar(language.slice(0, 2), () => makeGrammar(vocabulary));
}

function makeGrammar([stemWord, stops, { plain, deeds }]: Vocabulary): Grammar {
  const stem = (word: string): string => fold(stemWord(word));
  const formsOf = (words: readonly string[]) => words.flatMap(word => [fold(word), stem(word)]);
  return {
    stem,
    stops: new Set(stops.map(fold)),
    plain: new Set(formsOf([...stops, ...plain.split(' ')])),
    deeds: new Set(deeds.split(' ').map(stem)),
  };
}

/** True for a language whose inflections and plain words are known. @param language BCP 47 */
export const isGrammarKnown = (language: string): boolean => language.slice(0, 2) in vocabularies;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a text that say something, in lower case, each once: three letters or more, not plain ones. */
export function tellingWordsOf(text: string, language: string): string[] {
  const grammar = grammarOf(language);
  const words = new Set(wordsIn(text));
  return [...words].filter(
    word =>
      [...word].length >= 3 &&
      !(grammar && (grammar.plain.has(fold(word)) || grammar.plain.has(grammar.stem(word)))),
  );
}

/** True for what an app does only if its listing says so: it delivers, pays, translates. */
export function isDeed(word: string, language: string): boolean {
  const grammar = grammarOf(language);
  return grammar?.deeds.has(grammar.stem(word)) ?? false;
}

/** True for a word that says nothing alone: "about", "these". */
export const isStopWord = (word: string, language: string): boolean =>
  grammarOf(language)?.stops.has(fold(word)) ?? false;

/** Letters of languages that put no spaces between words. */
export const noSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

/** Words of such languages are compared by pairs of characters. */
function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((next, i) => characters[i] + next);
}

type Recall<T> = ReturnType<typeof createRecall<T>>;
// Sentences recur in every deck; 4,000 of them take about 3 MB.
const recallStems = createRecall<Recall<ReadonlySet<string>>>(8);

/** The stems of a text's words, for comparing it with another: three letters or more or a number, no stop words. */
export function stemsOf(text: string, language: string): ReadonlySet<string> {
  return recallStems(language.slice(0, 2), () => createRecall(4_000))(text, () => {
    const grammar = grammarOf(language);
    const stems = wordsIn(text).flatMap(word => {
      if (noSpaces.test(word)) return pairsOf(word);
      if ((word.length < 3 && !/\d/.test(word)) || grammar?.stops.has(fold(word))) return [];
      return (grammar?.stem ?? fold)(word);
    });
    return new Set(stems);
  });
}

/** Jaccard similarity of the stems, 0 to 1. */
export function similarityOf(one: string, other: string, language: string): number {
  return one === other ? 1 : shareOf(stemsOf(one, language), stemsOf(other, language));
}

export function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of a) if (b.has(stem)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

type HasWord = (word: string) => boolean;
// Each text of a deck is compared with the same listing, and each line of a listing with topics.
const recallIndex = createRecall<HasWord>(2_000);

/** @returns whether a text has a word: inflected, derived or as a part of a compound */
export function indexWords(text: string, language: string): HasWord {
  return recallIndex(`${language.slice(0, 2)} ${text}`, () =>
    makeIndex(text, grammarOf(language)?.stem ?? fold),
  );
}

function makeIndex(text: string, stem: (word: string) => string): HasWord {
  const stems = [...new Set(wordsIn(text).map(stem))];
  const known = new Set(stems);
  return word => {
    const sought = stem(word);
    return (
      known.has(sought) ||
      stems.some(other => beginAlike(sought, other) || isCompound(sought, other) || isCompound(other, sought))
    );
  };
}

const prefixMin = 5;

/**
 * True where the shorter has at least five letters and three quarters of it begin both ("reminds", "reminder"), or
 * one is the comparative of the other.
 */
function beginAlike(one: string, other: string): boolean {
  if (one === `${other}er` || other === `${one}er`) return Math.min(one.length, other.length) >= 4;
  const shorter = Math.min(one.length, other.length);
  let length = 0;
  while (length < shorter && one[length] === other[length]) length += 1;
  return length >= prefixMin && length * 4 >= shorter * 3;
}

/** "Wocheneinkauf" ends in "einkauf". */
const isCompound = (word: string, last: string): boolean =>
  last.length >= 5 && word.length - last.length >= 4 && word.endsWith(last);
