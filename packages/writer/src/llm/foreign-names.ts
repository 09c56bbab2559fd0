import { createRecall } from '@hookline/shared/kernel';
import { findBrand } from '../text-filters.ts';

/** Words of a text in lower case. Words of the listing and the brief are allowed in the deck. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}'’]*/gu) ?? []);
}

/** Words with a capital that are nobody's name: days, months, the names of languages and countries. */
const commonCapitals = wordsOf(
  `I I'm I've I'll I'd OK Celsius Fahrenheit Earth Moon Sun Mum Mom Dad Christmas Easter kWh mAh
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays
  January February March April May June July August September October November December
  English German French Spanish Italian Portuguese Dutch Japanese Chinese Korean Greek Latin Arabic Turkish Polish Swedish Indian
  Mexican Thai Vietnamese American British European Asian African Europe Asia Africa America`,
);
/** "ATM", "Wi-Fi", "GmbH", "PDFs": an abbreviation, which is a common noun. */
const abbreviation = /^(?:\p{Lu}{2,5}s?|\p{Lu}\p{L}{0,2}\p{Lu})$/u;

/** Languages that capitalise only names within a sentence; German, for example, capitalises every noun. */
const capitalsAreNames = /^(?:en|es|fr|pt|it|nl|sv|da|nb|fi|pl)\b/;

export type NameRules = {
  /** The app's own name, which is allowed. */
  appName: string;
  /** Every word of the listing, the name and the brief. */
  known: ReadonlySet<string>;
  /** BCP 47. */
  language: string;
};

/**
 * The first name in a generated text that is in neither the listing nor the brief: another product, a person,
 * a place. A known brand is foreign even when the listing contains it, unless it is the app's name. Null when
 * there is none.
 */
export function findForeignName(text: string, { appName, known, language }: NameRules): string | null {
  const bare = text.replaceAll(appName, ' ').replace(/(?:the )?App Store|Google Play|Wi-Fi/g, ' ');
  const brand = findBrand(bare);
  if (brand !== null && !appName.includes(brand)) return brand;
  for (const match of bare.matchAll(/\p{L}[\p{L}\p{N}'’]*/gu)) {
    const word = match[0].replace(/['’]s$/u, '');
    const forms = [word.toLowerCase(), match[0].toLowerCase()];
    if (forms.some(form => known.has(form) || commonCapitals.has(form))) continue;
    // "7 °C", "vitamin D", "plan B".
    if (word.length === 1 || abbreviation.test(word)) continue;
    // "ChatGPT", "iPhone": a capital after a lower-case letter is a brand in any language.
    if (/\p{Ll}\p{Lu}/u.test(word)) return word;
    if (!/^\p{Lu}/u.test(word) || !capitalsAreNames.test(language)) continue;
    if (!opensSentence(bare, match.index) && !isPlaceName(word, bare, match.index, language)) return word;
  }
  return null;
}

const cities = wordsOf(
  Intl.supportedValuesOf('timeZone')
    .map(zone => zone.slice(zone.lastIndexOf('/') + 1))
    .join(' ')
    .replaceAll('_', ' '),
);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const recallCountries = createRecall<Set<string>>(20);
const countriesIn = (language: string) =>
  recallCountries(language, () => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    return wordsOf(letters.flatMap(one => letters.map(two => names.of(one + two) ?? '')).join(' '));
  });

/** Countries, the cities that time zones are named for, and what English names with an article: "the Alps". */
function isPlaceName(word: string, text: string, at: number, language: string): boolean {
  if (cities.has(word.toLowerCase()) || countriesIn(language).has(word.toLowerCase())) return true;
  const isArticled = /(?<!\p{L})the $/iu.test(text.slice(0, at));
  return isArticled && !/^\p{L}+ (?:app|planner|tracker|tool|site)(?!\p{L})/u.test(text.slice(at));
}

/**
 * True at the start of the text or after a mark that begins a new sentence; quotes and brackets may be in
 * between.
 */
function opensSentence(text: string, at: number): boolean {
  return (
    /(?:^|[.!?:;…–—/|•]|\n)["'“”‘’«»()\s]*$/u.test(text.slice(0, at)) || /["“«(¿¡]$/u.test(text.slice(0, at))
  );
}
