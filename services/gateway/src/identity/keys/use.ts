/** The last use of each API key or session that is not yet written. */
export type KeyUse = {
  add(keyId: string): void;
  take(): ReadonlyMap<string, Date>;
};

const keysMax = 10_000;

/** Holds at most 10,000 keys between two calls of `take`; uses of further keys are lost. */
export function createKeyUse(now: () => Date): KeyUse {
  let used = new Map<string, Date>();
  return {
    add(keyId) {
      if (used.size < keysMax || used.has(keyId)) used.set(keyId, now());
    },
    take() {
      const taken = used;
      if (taken.size > 0) used = new Map();
      return taken;
    },
  };
}
