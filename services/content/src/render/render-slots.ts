/** Decks drawn at the same time: one per core of a small machine; each holds two slides of 8 MB in memory. */
const slotsMax = 2;

let used = 0;
const waiting: (() => void)[] = [];

/** Runs `draw` when a slot is free, first come first served. The caller bounds how many may wait. */
export async function withRenderSlot<T>(draw: () => Promise<T>): Promise<T> {
  if (used >= slotsMax) await new Promise<void>(resolve => waiting.push(resolve));
  else used++;
  try {
    return await draw();
  } finally {
    // A slot is handed on without being given back, so that nobody can slip in between.
    const next = waiting.shift();
    if (next) next();
    else used--;
  }
}
