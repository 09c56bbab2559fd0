/** Scripts that have no spaces between words. Hangul has, but joins particles to their ends ("무료로"). */
const spaceless = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}`;
const [begins, ends] = [new RegExp(`^[${spaceless}]`, 'u'), new RegExp(`[${spaceless}\\p{sc=Hang}]$`, 'u')];

/**
 * Matches a text that has one of the words, whole, in any case and with any apostrophe: "cat" is not in
 * "category". Matches nothing without words.
 */
export function compileAvoidedWords(words: readonly string[] = []): RegExp {
  const told = words.map(word => word.trim()).filter(Boolean);
  if (told.length === 0) return /(?!)/u;
  // "é" is one character or two.
  const written = new Set(told.flatMap(word => [word, word.normalize('NFC'), word.normalize('NFD')]));
  return new RegExp([...written].map(patternOf).join('|'), 'iu');
}

function patternOf(word: string): string {
  const written = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/['’]/g, "['’]");
  const before = begins.test(word) ? '' : '(?<![\\p{L}\\p{N}])';
  const after = ends.test(word) ? '' : '(?![\\p{L}\\p{N}])';
  return before + written + after;
}
