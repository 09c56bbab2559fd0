import type { NewChange } from './record.ts';

export type Changes = {
  add(change: NewChange): void;
  take(): readonly NewChange[];
  readonly isEmpty: boolean;
  /** Calls back whenever a change is added. */
  onAdd(listener: () => void): void;
};

const changesMax = 10_000;

/**
 * Holds at most 10,000 resources between two calls of `take`; further changes are lost,
 * which costs a browser a poll.
 */
export function createChanges(): Changes {
  let waiting = new Map<string, NewChange>();
  let listener = (): void => {};
  return {
    add(change) {
      const name = `${change.accountId} ${change.kind} ${change.resourceId}`;
      if (waiting.size >= changesMax && !waiting.has(name)) return;
      waiting.set(name, change);
      listener();
    },
    take() {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    get isEmpty() {
      return waiting.size === 0;
    },
    onAdd(callback) {
      listener = callback;
    },
  };
}
