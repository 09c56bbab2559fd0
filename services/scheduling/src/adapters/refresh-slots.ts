/**
 * Slots for token refreshes. If all are taken, a refresh waits for a limited time, first come, first served.
 */
export type Slots = {
  /** @returns a function that releases the slot, or null if none became free within `withinMs`. */
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

  /** Releasing twice must not free another holder's slot. */
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
