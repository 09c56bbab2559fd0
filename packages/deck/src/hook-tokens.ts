import { articles, collectives, halves, readNumberWord, readRoman } from './number-words.ts';

/**
 * A piece of a hook. `glued`: no space before it. `isDigits`: written with digits; `isRoman`: as II to XXXIX.
 */
export type HookToken =
  | {
      kind: 'number';
      value: number | null;
      glued: boolean;
      isDigits: boolean;
      isRoman: boolean;
      raw: string;
    }
  | { kind: 'word'; text: string; glued: boolean }
  | { kind: 'mark'; text: string; glued: boolean };

const vulgarFraction = /[\u00bc-\u00be\u2150-\u215e\u2189]/gu;
// Variation selector, keycap, direction marks and joiners: they hide digits from every pattern.
const invisible = /[\ufe0f\u20e3\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A copy of the hook with one form for every digit, apostrophe and letter; the hook itself never changes. */
export function normaliseHook(hook: string): string {
  return hook
    .replace(/🔟/gu, ' 10 ')
    .replace(vulgarFraction, ' / ')
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[’‘ʼ]/gu, "'")
    .replace(/\p{Nd}/gu, digit => (digit >= '0' && digit <= '9' ? digit : String(decimalDigit(digit))))
    .replace(/(?<=(?<!\d)\d{1,3}) (?=\d{3}(?!\d))/gu, '')
    .replace(/\b(d|l)'(?=\p{L})/giu, '$1e ');
}

// Every Unicode block of decimal digits is ten consecutive code points, and the character before a zero is
// not a digit.
function decimalDigit(char: string): number {
  const codePoint = char.codePointAt(0)!;
  let distance = 0;
  while (distance < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - distance - 1))) distance++;
  return distance;
}

type Piece = { text: string; lower: string; glued: boolean };

/** Words, numbers and marks in order; number words, Roman numerals and "half a dozen" become numbers. */
export function tokeniseHook(hook: string): HookToken[] {
  const pieces: Piece[] = [];
  let end = -1;
  for (const match of normaliseHook(hook).matchAll(
    /\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*|[^\s]/gu,
  )) {
    pieces.push({ text: match[0], lower: match[0].toLowerCase(), glued: match.index === end });
    end = match.index + match[0].length;
  }
  const lower = pieces.map(piece => piece.lower);
  const tokens: HookToken[] = [];
  for (let i = 0; i < pieces.length; ) {
    const { token, length } = readToken(pieces, lower, i);
    tokens.push(token);
    i += length;
  }
  return tokens;
}

function readToken(
  pieces: Piece[],
  lower: readonly string[],
  i: number,
): { token: HookToken; length: number } {
  const { text, glued } = pieces[i]!;
  const number = (value: number | null, isDigits = false, isRoman = false): HookToken => ({
    kind: 'number',
    value,
    glued,
    isDigits,
    isRoman,
    raw: text,
  });
  if (/^\d/.test(text)) return { token: number(readDigits(text), true), length: 1 };
  const phrase = readCollective(lower, i);
  if (phrase) return { token: number(phrase.value), length: phrase.length };
  const spelled = readNumberWord(lower, i);
  // "a hundred" includes its article, so that the number opens the hook.
  if (spelled) return { token: number(spelled.value), length: spelled.length };
  if ((lower[i] === 'a' || lower[i] === 'ein') && lower[i + 1]?.startsWith('hund')) {
    const hundred = readNumberWord(lower, i + 1);
    if (hundred) return { token: number(hundred.value), length: hundred.length + 1 };
  }
  const roman = readRoman(text);
  if (roman !== null) return { token: number(roman, false, true), length: 1 };
  const kind = /^\p{L}/u.test(text) ? 'word' : 'mark';
  return { token: { kind, text: lower[i]!, glued }, length: 1 };
}

/** Decimals and numbers over 15 digits give no value; a thousands separator is dropped. */
function readDigits(text: string): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^\d{1,3}(?:[.,]\d{3}){1,4}$/.test(text) ? Number(text.replace(/[.,]/g, '')) : null;
}

/** "(half) a dozen (of)", "two dozen", "a baker's dozen", "a couple of", "une dizaine de". */
function readCollective(lower: readonly string[], start: number): { value: number; length: number } | null {
  let i = start;
  let factor = 1;
  if (articles.has(lower[i] ?? '') && halves.has(lower[i + 1] ?? '')) i++;
  if (halves.has(lower[i] ?? '')) {
    factor = 0.5;
    i += lower[i + 1] === '-' ? 2 : 1;
  }
  const multiple = readNumberWord(lower, i);
  if (multiple) {
    factor *= multiple.value;
    i += multiple.length;
  } else if (articles.has(lower[i] ?? '')) i++;
  const isBakers = lower[i] === "baker's";
  if (isBakers) i++;
  const found = collectives.get(lower[i] ?? '');
  if (!found) return null;
  i++;
  const hasOf = lower[i] === 'of' || lower[i] === 'de';
  if (found.needsOf && !hasOf) return null;
  const value = (found.value + (isBakers ? 1 : 0)) * factor;
  return Number.isInteger(value) ? { value, length: i + (hasOf ? 1 : 0) - start } : null;
}
