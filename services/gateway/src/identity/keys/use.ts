/** The last use of each API key or session that is not yet written. */
export type KeyUse = {
  add(keyId: string): void;
  take(): ReadonlyMap<string, Date>;
};

const keysMax = 10_000;

/** Holds at most 10,000 keys between two calls of `take`; uses of further keys are lost. */
export function createKeyUse(now: () => Date): KeyUse {
  const used = new Map<string, number>();
  return {
    add(keyId) {
      if (used.size < keysMax || used.has(keyId)) used.set(keyId, performance.now());
    },
    take() {
      const beganMs = now().getTime() - performance.now();
      const taken = new Map(Array.from(used, ([keyId, atMs]) => [keyId, new Date(beganMs + atMs)]));
      used.clear();
      return taken;
    },
  };
}
