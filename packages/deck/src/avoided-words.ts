/**
 * Matches a text that has one of the words, whole and in any case: "cat" is not in "category".
 * Matches nothing without words.
 */
export function compileAvoidedWords(words: readonly string[] = []): RegExp {
  const told = words.map(word => word.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).filter(Boolean);
  if (told.length === 0) return /(?!)/u;
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${told.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
