/**
 * Slots for token refreshes. A refresh that comes while all are taken waits, first come first served, for a
 * while.
 */
export type Slots = {
  /** @returns what gives the slot back, or null when none became free within `withinMs`. */
  take(withinMs: number): Promise<(() => void) | null>;
};

export function createSlots(atOnceMax: number): Slots {
  let taken = 0;
  const waiting = new Set<() => void>();

  function giveBack(): void {
    const [next] = waiting;
    if (next) next();
    else taken -= 1;
  }

  /** Giving back twice must not free somebody else's slot. */
  function held(): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) giveBack();
      isHeld = false;
    };
  }

  return {
    take(withinMs) {
      if (taken < atOnceMax) {
        taken += 1;
        return Promise.resolve(held());
      }
      return new Promise(resolve => {
        const grant = (): void => {
          clearTimeout(timer);
          waiting.delete(grant);
          resolve(held());
        };
        const timer = setTimeout(() => {
          waiting.delete(grant);
          resolve(null);
        }, withinMs);
        waiting.add(grant);
      });
    },
  };
}
