import brandList from '../../data/brand-list.json' with { type: 'json' };

/** Words of a text without case: what the listing and the brief say by themselves may be said again. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}'’]*/gu) ?? []);
}

const brands = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${brandList.names.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const brandTags = new Set(brandList.names.map(plain));

/** Whether a hashtag is the name of another product. */
export function isForeignBrand(tag: string, appName: string): boolean {
  return brandTags.has(plain(tag)) && !plain(appName).includes(plain(tag));
}

/** Words that English writes with a capital whatever they stand in. */
const commonCapitals = wordsOf(
  `I I'm I've I'll I'd POV TV OK DIY FAQ PDF CSV GPS VAT ID AM PM English
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday
  January February March April May June July August September October November December
  Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Christmas Easter`,
);

/** Languages that write a capital within a sentence for names only; German, for one, does so for every noun. */
const capitalsAreNames = /^(?:en|es|fr|pt|it|nl|sv|da|nb|fi|pl)\b/;

export type NameRules = {
  /** The app's own name, which may be said. */
  appName: string;
  /** Every word of listing, name and brief. */
  known: ReadonlySet<string>;
  /** BCP 47. */
  language: string;
};

/**
 * The first name in a generated text that neither the listing nor the brief has: another product, a person, a place. A
 * brand of the list is foreign even when the listing has it, unless the app is called so. Null: none.
 */
export function findForeignName(text: string, { appName, known, language }: NameRules): string | null {
  const bare = text.replaceAll(appName, ' ').replace(/(?:the )?App Store|Google Play/g, ' ');
  const brand = brands.exec(bare)?.[0];
  if (brand !== undefined && !appName.includes(brand)) return brand;
  for (const match of bare.matchAll(/\p{L}[\p{L}\p{N}'’]*/gu)) {
    const word = match[0];
    if (known.has(word.toLowerCase()) || commonCapitals.has(word.toLowerCase())) continue;
    // "ChatGPT", "iPhone": a capital after a small letter is a brand in any language.
    if (/\p{Ll}\p{Lu}/u.test(word)) return word;
    if (!/^\p{Lu}/u.test(word) || !capitalsAreNames.test(language)) continue;
    if (!opensSentence(bare, match.index)) return word;
  }
  return null;
}

/** At the start of the text or behind a mark that begins something new; quotes and brackets may stand between. */
function opensSentence(text: string, at: number): boolean {
  return (
    /(?:^|[.!?:;…–—/|•]|\n)["'“”‘’«»()\s]*$/u.test(text.slice(0, at)) || /["“«(]$/u.test(text.slice(0, at))
  );
}
