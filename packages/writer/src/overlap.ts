/** Compares a deck with earlier ones of its app by their lines: the hook and the body slides. */
import type { SlideshowResult } from '@hookline/shared/contracts/content';
import { createRecall } from '@hookline/shared/kernel';
import { shareOf, stemsOf as stemsOfWhole } from './words.ts';

/** Two lines say the same if they share this much of their words, in whatever order and inflection. */
export const alikeMin = 0.6;

/** A deck that shares more than this of its lines with another repeats it. */
export const overlapMax = 0.5;

/** `lines`: the hook, then the body slides. */
export type EarlierDeck = { id: string; lines: readonly string[] };

/** Slides that no post has room for are left out: an edit may have 60. */
export function linesOf({ hook, bodySlides }: Pick<SlideshowResult, 'hook' | 'bodySlides'>): string[] {
  return [hook, ...bodySlides.slice(0, 33).map(({ text }) => text)];
}

/** Characters of a line that are compared. Comparing one deck with 100 others took 5 s where slides had 500. */
const comparedMax = 200;
const stemsOf = (line: string, language: string) => stemsOfWhole(line.slice(0, comparedMax), language);

/** "Do it now" says too little to be counted. */
const wordsMin = 2;

type PlacesOf = (text: string) => readonly number[];
// The decks of an app choose from the same lines; 200 apps with 500 texts each take up to 20 MB.
const recallIndex = createRecall<PlacesOf>(200);

/** @returns the places of the counted lines that say what a text says */
export function indexLines(lines: readonly string[], language: string): PlacesOf {
  return recallIndex(JSON.stringify([language, ...lines]), () => {
    const stems = lines.map(line => stemsOf(line, language));
    const recallPlaces = createRecall<readonly number[]>(500);
    return text =>
      recallPlaces(text, () => {
        const said = stemsOf(text, language);
        return [...stems.keys()].filter(
          i => stems[i]!.size >= wordsMin && shareOf(stems[i]!, said) >= alikeMin,
        );
      });
  });
}

/** `shared`: the places of the deck's lines that the earlier deck has too. */
export type Nearest<Deck extends EarlierDeck> = { deck: Deck; shared: ReadonlySet<number>; overlap: number };

/** The earlier deck that shares most of a deck's lines; of several the first. Null where there is none. */
export function findNearest<Deck extends EarlierDeck>(
  lines: readonly string[],
  decks: readonly Deck[],
  language: string,
): Nearest<Deck> | null {
  const placesOf = indexLines(lines, language);
  const counted = lines.filter(line => stemsOf(line, language).size >= wordsMin).length;
  let nearest: Nearest<Deck> | null = null;
  for (const deck of decks) {
    const shared = new Set(deck.lines.flatMap(placesOf));
    if (nearest && shared.size <= nearest.shared.size) continue;
    nearest = { deck, shared, overlap: counted === 0 ? 0 : shared.size / counted };
  }
  return nearest;
}
