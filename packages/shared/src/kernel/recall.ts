/** Caches the value made from a text, for at most `max` texts; evicts the oldest first. */
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
