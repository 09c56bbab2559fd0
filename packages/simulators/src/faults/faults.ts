import type { Journal } from '../state/journal.ts';

/**
 * `share` is the probability per call (0 to 1); `times` is the number of remaining hits; `hits` counts them.
 */
export type Fault = {
  platform: string;
  operation: string;
  kind: string;
  share: number;
  times?: number | undefined;
  delayMs?: number | undefined;
  hits: number;
};

export type Faults = {
  list(): Fault[];
  replace(faults: Fault[]): void;
  /**
   * The fault that applies to this call, or null. One random number per call, so that shares of one operation
   * add up.
   */
  draw(platform: string, operation: string): Fault | null;
};

export const defaultDelayMs = 10_000;

export function createFaults(journal: Journal, random: () => number): Faults {
  const table = journal.table<Fault>('faults');

  return {
    list: () => table.values(),
    replace: faults => {
      for (const [key] of table.entries()) table.remove(key);
      faults.forEach((fault, index) => {
        table.put(String(index), fault);
      });
    },
    draw: (platform, operation) => {
      if (table.size() === 0) return null;
      let left = random();
      for (const [key, fault] of table.entries()) {
        if (fault.platform !== platform || fault.operation !== operation || fault.times === 0) continue;
        left -= fault.share;
        if (left >= 0) continue;
        const times = fault.times === undefined ? {} : { times: fault.times - 1 };
        table.put(key, { ...fault, ...times, hits: fault.hits + 1 });
        return fault;
      }
      return null;
    },
  };
}
