/** Runs work under a key after all earlier work under it has ended. Different keys run concurrently. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Turns within one process. They only save work: correctness across processes is up to the database. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const end = turn.then(
      () => {},
      () => {},
    );
    last.set(key, end);
    try {
      return await turn;
    } finally {
      if (last.get(key) === end) last.delete(key);
    }
  };
}
