const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether a name has all the words that were typed, or words that begin so, in any order. */
export function hasWords(name: string, typed: string): boolean {
  const words = wordsOf(name);
  return wordsOf(typed).every(start => words.some(word => word.startsWith(start)));
}
