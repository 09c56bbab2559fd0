/** The opening and closing marks of quotations, by the first part of a BCP 47 tag. */
const marks: Readonly<Record<string, readonly [string, string]>> = {
  en: ['\u201c', '\u201d'],
  de: ['\u201e', '\u201c'],
  es: ['\u201c', '\u201d'],
};

/**
 * Quotes and apostrophes of a keyboard as a printer sets them: “so”, and it’s. Quotes of a language whose marks are not known
 * here stay, and so do feet and inches (5'10") and a mark that has no partner.
 */
export function setTypographicQuotes(text: string, language: string): string {
  const apostrophes = text.replace(/(?<=\p{L})'(?=\p{L}|\s|[.,;:!?]|$)/gu, '\u2019');
  const pair = marks[language.split('-')[0]!.toLowerCase()];
  if (!pair) return apostrophes;
  const [open, close] = pair;
  return apostrophes.replace(/(?<![\p{L}\p{N}])"(?=\S)([^"]*?\S)"(?![\p{L}\p{N}])/gu, `${open}$1${close}`);
}
