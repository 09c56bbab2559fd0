import brandList from '../../data/brand-list.json' with { type: 'json' };

/** Words of a text in lower case. Words of the listing and the brief are allowed in the deck. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}'’]*/gu) ?? []);
}

const brands = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${brandList.names.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const brandTags = new Set(brandList.names.map(plain));

/** True for a hashtag that is the name of another product. */
export function isForeignBrand(tag: string, appName: string): boolean {
  return brandTags.has(plain(tag)) && !plain(appName).includes(plain(tag));
}

/** Words that English always capitalises. */
const commonCapitals = wordsOf(
  `I I'm I've I'll I'd POV TV OK DIY FAQ PDF CSV GPS VAT ID AM PM English
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday
  January February March April May June July August September October November December
  Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Christmas Easter`,
);

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
  const bare = text.replaceAll(appName, ' ').replace(/(?:the )?App Store|Google Play/g, ' ');
  const brand = brands.exec(bare)?.[0];
  if (brand !== undefined && !appName.includes(brand)) return brand;
  for (const match of bare.matchAll(/\p{L}[\p{L}\p{N}'’]*/gu)) {
    const word = match[0];
    if (known.has(word.toLowerCase()) || commonCapitals.has(word.toLowerCase())) continue;
    // "ChatGPT", "iPhone": a capital after a lower-case letter is a brand in any language.
    if (/\p{Ll}\p{Lu}/u.test(word)) return word;
    if (!/^\p{Lu}/u.test(word) || !capitalsAreNames.test(language)) continue;
    if (!opensSentence(bare, match.index)) return word;
  }
  return null;
}

/**
 * True at the start of the text or after a mark that begins a new sentence; quotes and brackets may be in
 * between.
 */
function opensSentence(text: string, at: number): boolean {
  return (
    /(?:^|[.!?:;…–—/|•]|\n)["'“”‘’«»()\s]*$/u.test(text.slice(0, at)) || /["“«(]$/u.test(text.slice(0, at))
  );
}
