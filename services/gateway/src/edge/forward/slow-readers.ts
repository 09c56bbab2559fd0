/** Answers that give their slot back because their client reads more slowly than the owner writes. */
import type { Logger } from '@hookline/shared/kernel';

/** One address of an owner has so many. Each holds a connection and about 200 KB of buffers: 25 MB. */
export const slowReadersMax = 128;

export type SlowReaders = {
  /**
   * Counts an answer. Over the limit, cuts the oldest one of the reader that has the most.
   * @param reader the workspace, or the network address of a request of nobody
   * @returns call it once the answer has ended
   */
  add(reader: string, cut: () => void): () => void;
};

/** @param max answers at once, now */
export function createSlowReaders(max: () => number, log: Logger): SlowReaders {
  // The answers of a reader, the oldest first.
  const running = new Map<string, Set<() => void>>();
  let count = 0;

  function remove(reader: string, cut: () => void): void {
    const own = running.get(reader);
    if (!own?.delete(cut)) return;
    count -= 1;
    if (own.size === 0) running.delete(reader);
  }

  function cutOldest(): void {
    let heaviest: [reader: string, own: Set<() => void>] | undefined;
    for (const one of running) if (!heaviest || one[1].size > heaviest[1].size) heaviest = one;
    const [reader = '', own] = heaviest ?? [];
    const cut = own?.values().next().value;
    if (!cut) return;
    log.warn({ answers: own?.size }, 'an answer was cut: too many are read slowly');
    remove(reader, cut);
    cut();
  }

  return {
    add(reader, cut) {
      const own = running.get(reader) ?? new Set();
      running.set(reader, own.add(cut));
      count += 1;
      if (count > max()) cutOldest();
      return () => remove(reader, cut);
    },
  };
}
