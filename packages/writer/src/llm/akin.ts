/** Compares words through their inflections, in English, German and Spanish. */

/**
 * What a word may be an inflection of: the ending, and what stands in its place. `=`
 * halves a double consonant.
 */
const inflections: readonly [ending: string, instead: readonly string[], lettersMin: number][] = [
  ['s', [''], 3],
  ['es', [''], 3],
  ['ies', ['y'], 3],
  ['ing', ['', 'e', '='], 3],
  ['ed', ['', 'e', '='], 3],
  ['er', ['e'], 3],
  ['er', [''], 4],
  ['en', [''], 3],
  ['n', [''], 4],
  ['e', ['', 'en'], 4],
  ['t', ['en'], 3],
  ['st', ['en'], 3],
  ['a', ['ar'], 3],
  ['o', ['ar'], 3],
  ['os', ['ar'], 3],
  ['ado', ['ar'], 3],
  ['ada', ['ar'], 3],
  ['ados', ['ar'], 3],
  ['adas', ['ar'], 3],
];

/** Without marks: "Pläne" and "Plan", "canción" and "canciones". */
const fold = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** German verbs: "anhören" and "hörst", "verlangsamen" and "langsamer". */
const verbPrefix = /^(?:an|auf|aus|ein|ab|vor|nach|mit|ver|be|zu)(?=\p{L}{5})/u;

function basesOf(word: string): Set<string> {
  const bare = word.replace(verbPrefix, '');
  const bases = new Set([word, ...(bare === word ? [] : basesOf(bare))]);
  if (/[^s]s$/.test(word) || !word.endsWith('s')) {
    for (const [ending, instead, lettersMin] of inflections) {
      if (!word.endsWith(ending)) continue;
      const rest = word.slice(0, -ending.length);
      if (rest.length < lettersMin) continue;
      for (const end of instead) bases.add(end === '=' ? rest.replace(/(.)\1$/, '$1') : rest + end);
    }
  }
  return bases;
}

const prefixMin = 5;
/** Letters of a German compound before its last word: "Wocheneinkauf". */
const compoundMin = 4;

/**
 * True for long words that begin alike for at least three quarters of the shorter: "reminds" and "reminder".
 */
function beginAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let length = 0;
  while (length < shorter && one[length] === other[length]) length += 1;
  return length >= prefixMin && length * 4 >= shorter * 3;
}

const isCompound = (word: string, last: string): boolean =>
  last.length >= prefixMin && word.length - last.length >= compoundMin && word.endsWith(last);

/** The words of a text, ready to be compared. */
export type WordIndex = { bases: ReadonlySet<string>; words: readonly string[] };

export function indexWords(words: Iterable<string>): WordIndex {
  const folded = [...new Set([...words].map(fold))];
  return { words: folded, bases: new Set(folded.flatMap(word => [...basesOf(word)])) };
}

/** True when the index has the word in the same form or an inflected one. */
export function hasForm(index: WordIndex, word: string): boolean {
  for (const base of basesOf(fold(word))) if (index.bases.has(base)) return true;
  return false;
}

/** True when the index has the word, or one that shares its stem of at least five letters. */
export function hasAkin(index: WordIndex, word: string): boolean {
  if (hasForm(index, word)) return true;
  const folded = fold(word);
  return index.words.some(
    other => beginAlike(folded, other) || isCompound(folded, other) || isCompound(other, folded),
  );
}
