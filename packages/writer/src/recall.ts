/** Remembers what was made of a text, for at most `max` texts; the oldest goes first. */
export function createRecall<T>(max: number): (text: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (text, make) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make();
      if (known.size >= max) known.delete(known.keys().next().value as string);
      known.set(text, made);
    }
    return made;
  };
}

/** An app gets many decks: what depends on its listing alone is found once. So many listings take some MB. */
export const listingsMax = 300;
