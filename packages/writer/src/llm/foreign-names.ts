import { findBrand } from '../text-filters.ts';

/** Words of a text in lower case. Words of the listing and the brief are allowed in the deck. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}'’]*/gu) ?? []);
}

/** Languages that capitalise only names within a sentence; German, for example, capitalises every noun. */
const capitalsAreNames = /^(?:en|es|fr|pt|it|nl|sv|da|nb|fi|pl)\b/;

export type NameRules = {
  /** The app's own name, which is allowed. */
  appName: string;
  /** In lower case; a brand that it names, as of a watch that the app runs on, is allowed. */
  listing: string;
  /** Every word of the listing, the name and the brief. */
  known: ReadonlySet<string>;
  /** BCP 47. */
  language: string;
};

/** "Maria from accounting", "Rosa, enfermera de Sevilla": somebody who is said to use the app. */
const person =
  /(?<!\p{L})(\p{Lu}\p{Ll}+)(?:, (?:[^.,;:!?]{2,40} )?(?:from|de|da|di) \p{Lu}| from \p{Ll}|, \d\d(?!\d| ?[h:]))/gu;
/** "Better than Fooville", "the Tidely app", "works like Zoomly does". */
const product =
  /(?i:(?:better|faster|cheaper|easier|simpler) than|(?:mejor|más \p{L}+) que|(?:mieux|meilleure?|plus \p{L}+) que|(?:melhor|mais \p{L}+) (?:do )?que|(?:meglio|più \p{L}+) di) (\p{Lu}\p{L}+)|(\p{Lu}\p{Ll}+)(?: does|['’]s)? (?:app|planner|tracker|account)(?!\p{L})|(?:apps?|sites?|tools?|works?|looks?) (?:like|such as|called) (\p{Lu}\p{L}+)/gu;

/**
 * The first product or person in a generated text that is in neither the listing nor the brief; names of places, stars
 * and works are common knowledge. A known brand that only the brief names is foreign. Null when there is none.
 */
export function findForeignName(
  text: string,
  { appName, listing, known, language }: NameRules,
): string | null {
  const bare = text.replaceAll(appName, ' ').replace(/(?:the )?App Store|Google Play|Wi-Fi/g, ' ');
  const brand = findBrand(bare, `${appName.toLowerCase()} ${listing}`);
  if (brand !== null) return brand;
  const isKnown = (word: string) => known.has(word.toLowerCase());
  // "ChatGPT", "fooBar": a capital after a lower-case letter is a brand in any language.
  const mixed = bare.match(/(?<![\p{L}\p{N}])\p{L}*\p{Ll}\p{Lu}\p{L}*/gu) ?? [];
  const named = !capitalsAreNames.test(language)
    ? []
    : [person, product].flatMap(pattern =>
        [...bare.matchAll(pattern)].map(match => match.slice(1).find(Boolean)!),
      );
  return [...mixed.filter(word => !unit.test(word)), ...named].find(word => !isKnown(word)) ?? null;
}

/** "kWh", "mAh", "GmbH", "PhD". */
const unit = /^\p{L}{1,4}$/u;
