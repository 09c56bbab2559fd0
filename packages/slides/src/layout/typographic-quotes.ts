/** The opening and closing quotation marks, by the first subtag of a BCP 47 tag. */
const marks: Readonly<Record<string, readonly [string, string]>> = {
  en: ['\u201c', '\u201d'],
  de: ['\u201e', '\u201c'],
  es: ['\u201c', '\u201d'],
};

/**
 * Replaces straight quotes and apostrophes with typographic ones: “so”, and it’s. Leaves quotes in languages
 * whose marks are not listed, feet and inches (5'10"), and unpaired marks.
 */
export function setTypographicQuotes(text: string, language: string): string {
  const apostrophes = text.replace(/(?<=\p{L})'(?=\p{L}|\s|[.,;:!?]|$)/gu, '\u2019');
  const pair = marks[language.split('-')[0]!.toLowerCase()];
  if (!pair) return apostrophes;
  const [open, close] = pair;
  return apostrophes.replace(/(?<![\p{L}\p{N}])"(?=\S)([^"]*?\S)"(?![\p{L}\p{N}])/gu, `${open}$1${close}`);
}
