/**
 * Number words and fixed phrases of hooks, converted to values. "once" is left out: eleven in Spanish, an
 * adverb in English.
 */

const row = (start: number, text: string): [string, number][] =>
  text.split(' ').map((word, index) => [word, start + index]);

const units = new Map<string, number>([
  ['zero', 0],
  ...row(1, 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'),
  ...row(16, 'sixteen seventeen eighteen nineteen'),
  ...row(2, 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn'),
  ...row(2, 'dos tres cuatro cinco seis siete ocho nueve diez'),
  ...row(12, 'doce trece catorce quince'),
  ...row(2, 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'),
  ...row(2, 'dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze'),
]);

const tens = new Map<string, number>([
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index): [string, number] => [word, (index + 2) * 10]),
  ...'zwanzig dreißig vierzig fünfzig'.split(' ').map((word, i): [string, number] => [word, (i + 2) * 10]),
  ...'veinte treinta cuarenta cincuenta'.split(' ').map((word, i): [string, number] => [word, (i + 2) * 10]),
  ...'vingt trente quarante cinquante'.split(' ').map((word, i): [string, number] => [word, (i + 2) * 10]),
  ...'vinte trinta quarenta cinquenta'.split(' ').map((word, i): [string, number] => [word, (i + 2) * 10]),
]);

/** Words worth a fixed number; `needsOf` ones count only as "a couple of". */
export const collectives = new Map<string, { value: number; needsOf: boolean }>([
  ['dozen', { value: 12, needsOf: false }],
  ['dutzend', { value: 12, needsOf: false }],
  ['dizaine', { value: 10, needsOf: false }],
  ['douzaine', { value: 12, needsOf: false }],
  ['docena', { value: 12, needsOf: false }],
  ['dúzia', { value: 12, needsOf: false }],
  ['couple', { value: 2, needsOf: true }],
  ['pair', { value: 2, needsOf: true }],
  ['par', { value: 2, needsOf: true }],
  ['trio', { value: 3, needsOf: true }],
]);

export const halves = new Set(['half', 'media', 'meia', 'halbes', 'demi']);
export const articles = new Set(['a', 'an', 'ein', 'eine', 'un', 'una', 'une', 'um', 'uma']);

/**
 * Reads a number word at `index` of lower-case words; `length` is the number of entries consumed (hyphens
 * count as entries).
 */
export function readNumberWord(
  words: readonly string[],
  index: number,
): { value: number; length: number } | null {
  const below = readBelowHundred(words, index);
  const isBareHundred = words[index] === 'hundred' || words[index] === 'hundert';
  if (!below && !isBareHundred) return null;
  const hundredAt = index + (below?.length ?? 0);
  const hasHundred = words[hundredAt] === 'hundred' && (below?.value ?? 1) < 10;
  if (!hasHundred) return below ?? { value: 100, length: 1 };
  const restAt = hundredAt + (words[hundredAt + 1] === 'and' ? 2 : 1);
  const rest = readBelowHundred(words, restAt);
  const hundreds = (below?.value ?? 1) * 100;
  return rest
    ? { value: hundreds + rest.value, length: restAt + rest.length - index }
    : { value: hundreds, length: hundredAt + 1 - index };
}

function readBelowHundred(words: readonly string[], index: number): { value: number; length: number } | null {
  const word = words[index];
  if (word === undefined) return null;
  const german = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+)$/u.exec(word);
  const germanTens = german && tens.get(german[2]!);
  if (german && germanTens) return { value: germanTens + (units.get(german[1]!) ?? 1), length: 1 };
  const ten = tens.get(word);
  if (ten !== undefined) {
    const unitAt = words[index + 1] === '-' ? index + 2 : index + 1;
    const unit = units.get(words[unitAt] ?? '');
    const joins = unit !== undefined && unit > 0 && unit < 10;
    return joins ? { value: ten + unit, length: unitAt + 1 - index } : { value: ten, length: 1 };
  }
  const unit = units.get(word);
  return unit === undefined ? null : { value: unit, length: 1 };
}

/**
 * II to XXXIX only: a larger alphabet would turn "CV" and "MD" into numbers. Returns null for anything else.
 */
export function readRoman(word: string): number | null {
  if (!/^(?=..)X{0,3}(IX|IV|V?I{0,3})$/.test(word)) return null;
  const values: Record<string, number> = { I: 1, V: 5, X: 10 };
  const digits = [...word].map(letter => values[letter]!);
  return digits.reduce((sum, value, i) => sum + (value < (digits[i + 1] ?? 0) ? -value : value), 0);
}
