const stopWords = new Set(
  'a an the of to in on at by for from with and or but so if is are was were be it its you your not no nor than that this what when who how do does one as'.split(
    ' ',
  ),
);

/** Content words, cut to their stems as far as a comparison needs. */
function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter(word => !stopWords.has(word)).map(word => word.replace(/(ing|ed|es|s)$/, '')));
}

/** Shared content words as a share of all (Jaccard), 0 to 1. */
export function similarityOf(one: string, other: string): number {
  const [a, b] = [stemsOf(one), stemsOf(other)];
  if (a.size === 0 || b.size === 0) return one === other ? 1 : 0;
  const shared = [...a].filter(stem => b.has(stem)).length;
  return shared / (a.size + b.size - shared);
}

export function openingOf(text: string): string {
  return text.toLowerCase().split(/\s+/).slice(0, 2).join(' ');
}

/** From this similarity on, two slides say the same thing. */
export const similarityMax = 0.4;

/** Takes texts in order until `count`, leaving out those that repeat what is chosen or `beside`. */
export function takeDistinct(
  candidates: Iterable<string>,
  count: number,
  beside: readonly string[] = [],
): string[] {
  const chosen: string[] = [];
  for (const text of candidates) {
    if (chosen.length >= count) break;
    const known = [...beside, ...chosen];
    const repeats = known.some(other => similarityOf(text, other) >= similarityMax);
    const sameOpening = chosen.length > 0 && openingOf(chosen.at(-1)!) === openingOf(text);
    if (!repeats && !sameOpening) chosen.push(text);
  }
  return chosen;
}
