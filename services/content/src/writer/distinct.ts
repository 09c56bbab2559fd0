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
  return one === other ? 1 : shareOf(stemsOf(one), stemsOf(other));
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of a) if (b.has(stem)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
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
  const known = beside.map(stemsOf);
  for (const text of candidates) {
    if (chosen.length >= count) break;
    const stems = stemsOf(text);
    const repeats = known.some(other => shareOf(stems, other) >= similarityMax) || beside.includes(text);
    const sameOpening = chosen.length > 0 && openingOf(chosen.at(-1)!) === openingOf(text);
    if (repeats || sameOpening) continue;
    chosen.push(text);
    known.push(stems);
  }
  return chosen;
}
