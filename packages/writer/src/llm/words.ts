/** Compares words through their inflections, in the languages whose grammar is known. */

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
import plainWords from '../../data/plain-words.json' with { type: 'json' };

type Grammar = { stem: (word: string) => string; plain: ReadonlySet<string>; deeds: ReadonlySet<string> };

/** Without marks: "Pläne" and "Plan", "canción" and "canciones". */
const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '');

function grammarOf(
  stemWord: (word: string) => string,
  stops: readonly string[],
  { plain, deeds }: { plain: string; deeds: string },
): Grammar {
  const stem = (word: string): string => fold(stemWord(word));
  return {
    stem,
    plain: new Set([...stops, ...plain.split(' ')].flatMap(word => [fold(word), stem(word)])),
    deeds: new Set(deeds.split(' ').map(stem)),
  };
}

const grammars: Readonly<Record<string, Grammar>> = {
  en: grammarOf(stemEnglish, englishStops, plainWords.en),
  de: grammarOf(stemGerman, germanStops, plainWords.de),
  es: grammarOf(stemSpanish, spanishStops, plainWords.es),
  fr: grammarOf(stemFrench, frenchStops, plainWords.fr),
  pt: grammarOf(stemPortuguese, portugueseStops, plainWords.pt),
};

/** True for a language whose inflections and plain words are known. @param language BCP 47 */
export const isGrammarKnown = (language: string): boolean => language.slice(0, 2) in grammars;

/** The words of a text that say something, in lower case, each once: three letters or more, not plain ones. */
export function tellingWordsOf(text: string, language: string): string[] {
  const grammar = grammars[language.slice(0, 2)];
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...words].filter(
    word =>
      [...word].length >= 3 &&
      !(grammar && (grammar.plain.has(fold(word)) || grammar.plain.has(grammar.stem(word)))),
  );
}

/** True for what an app does only if its listing says so: it delivers, pays, translates. */
export function isDeed(word: string, language: string): boolean {
  const grammar = grammars[language.slice(0, 2)];
  return grammar?.deeds.has(grammar.stem(word)) ?? false;
}

/** @returns whether a text has a word: inflected, derived or as a part of a compound */
export function indexWords(text: string, language: string): (word: string) => boolean {
  const stem = grammars[language.slice(0, 2)]?.stem ?? fold;
  const stems = [...new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem))];
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

/** True where the shorter has at least five letters and three quarters of it begin both: "reminds", "reminder". */
function beginAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let length = 0;
  while (length < shorter && one[length] === other[length]) length += 1;
  return length >= prefixMin && length * 4 >= shorter * 3;
}

/** "Wocheneinkauf" ends in "einkauf". */
const isCompound = (word: string, last: string): boolean =>
  last.length >= 5 && word.length - last.length >= 4 && word.endsWith(last);
