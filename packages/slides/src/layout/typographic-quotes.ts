/** The opening and closing quotation marks, by the first subtag of a BCP 47 tag. */
const marks: Readonly<Record<string, readonly [string, string]>> = {
  en: ['\u201c', '\u201d'],
  de: ['\u201e', '\u201c'],
  es: ['\u201c', '\u201d'],
};

/** An apostrophe between letters ends no quotation, and "'n'" is none. */
const single = /(?<![\p{L}\p{N}])'(?=\S[^'])((?:[^']|(?<=\p{L})'(?=\p{L}))*?\S)'(?![\p{L}\p{N}])/gu;
const apostrophe = /(?<=\p{L})'(?=\p{L}|\s|[.,;:!?]|$)|(?<![\p{L}\p{N}])'(?=[\p{L}\p{N}])/gu;

/**
 * Replaces straight quotes and apostrophes with typographic ones: “so”, ‘so’, it’s and ’90s. Leaves double quotes
 * in languages whose marks are not listed, feet and inches (5'10"), and unpaired marks.
 */
export function setTypographicQuotes(text: string, language: string): string {
  const name = language.split('-')[0]!.toLowerCase();
  const inner = name === 'de' ? '\u201a$1\u2018' : '\u2018$1\u2019';
  const apostrophes = text.replace(single, inner).replace(apostrophe, '\u2019');
  const pair = marks[name];
  if (!pair) return apostrophes;
  const [open, close] = pair;
  return apostrophes.replace(/(?<![\p{L}\p{N}])"(?=\S)([^"]*?\S)"(?![\p{L}\p{N}])/gu, `${open}$1${close}`);
}
