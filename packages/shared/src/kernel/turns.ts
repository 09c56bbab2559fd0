/**
 * Work that takes turns: of one key one at a time, first come first served, other keys beside it. Within this process
 * alone, so that it saves work; what must hold over processes is the database's to keep.
 */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => {},
      () => {},
    );
    last.set(key, over);
    try {
      return await turn;
    } finally {
      if (last.get(key) === over) last.delete(key);
    }
  };
}
