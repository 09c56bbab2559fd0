/** Compares a deck with its topic and with the listing, by words. */
import { contentWordsOf } from '../distinct.ts';
import { namesApp, splitSentences } from './claims.ts';

/** Words that say nothing about what an app does. */
const plainWords = contentWordsOf(
  'app keep keeps help helps let lets make makes open opens try tries use uses using start begin give gives take takes show shows want need time today tonight moment place small next first thing things everything without while until always once only also easy easier simple ready nearby close hand one two three Probier heute nutze nimm öffne zeigt hilft macht prueba hoy usa abre ayuda muestra',
);
/** Languages whose words are not separated by spaces. */
const noSpaces = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
const stemLength = 5;

/** True when both words begin alike: "reminds" and "reminder", "Schulden" and "Schuldenplan". */
function areAkin(one: string, other: string): boolean {
  const length = Math.min(stemLength, one.length, other.length);
  return length >= 3 && one.slice(0, length) === other.slice(0, length);
}

const isAmong = (word: string, words: ReadonlySet<string>): boolean =>
  words.has(word) || [...words].some(other => areAkin(word, other));

/**
 * The first sentence that says something about the app that is not in the listing, or null. Half of its
 * telling words must be in the listing, the topic or the given hook.
 */
export function findUntraceable(text: string, appName: string, known: string): string | null {
  if (noSpaces.test(text)) return null;
  const source = contentWordsOf(known);
  for (const sentence of splitSentences(text)) {
    if (!namesApp(sentence, appName)) continue;
    const said = contentWordsOf(sentence.toLowerCase().replaceAll(appName.toLowerCase(), ' '));
    const telling = [...said].filter(word => !plainWords.has(word));
    const backed = telling.filter(word => isAmong(word, source)).length;
    if (backed * 2 < telling.length) return sentence;
  }
  return null;
}

/** A percentage or a multiple that is not in `known`, or null: nobody could say where it comes from. */
export function findInventedFigure(text: string, known: string): string | null {
  for (const [figure, digits] of text.matchAll(
    /(\d[\d.,]*)\s?(?:%|percent\b|prozent\b|por ciento|times (?:more|faster|better)|x (?:more|faster))/giu,
  )) {
    if (!known.includes(digits!)) return figure;
  }
  return null;
}

/**
 * True when the deck is about the topic: half of its content words are in the texts, at least one of them in
 * the slides. A hook that pastes the topic does not make slides about it.
 */
export function coversTopic(
  topic: string,
  hook: string,
  slides: readonly string[],
  caption: string,
): boolean {
  const words = [...contentWordsOf(topic)];
  if (words.length === 0 || noSpaces.test(topic)) return true;
  const inSlides = contentWordsOf(slides.join(' '));
  const everywhere = contentWordsOf(`${hook} ${caption} ${slides.join(' ')}`);
  const covered = words.filter(word => isAmong(word, everywhere)).length;
  return covered * 2 >= words.length && words.some(word => isAmong(word, inSlides));
}

/** Number of words of `text` that `known` has too. */
export function countShared(text: string, known: string): number {
  const words = contentWordsOf(known);
  return [...contentWordsOf(text)].filter(word => isAmong(word, words)).length;
}
