/** Decks drawn at the same time: one per core of a small machine; each holds two slides of 8 MB in memory. */
const slotsMax = 2;
/** Decks that may wait; at about 0.5 s a deck the last of them still ends within a generation's 8 s. */
const waitingMax = 12;

let used = 0;
const waiting: (() => void)[] = [];

/** More decks are asked for than can be drawn in time; asking again in a moment helps. */
export class RenderBusyError extends Error {
  override name = 'RenderBusyError';
}

/** Runs `draw` when a slot is free, first come first served. @throws RenderBusyError when 12 wait already */
export async function withRenderSlot<T>(draw: () => Promise<T>): Promise<T> {
  if (used >= slotsMax) {
    if (waiting.length >= waitingMax) throw new RenderBusyError('too many decks wait to be drawn');
    await new Promise<void>(resolve => waiting.push(resolve));
  } else used++;
  try {
    return await draw();
  } finally {
    // A slot is handed on without being given back, so that nobody can slip in between.
    const next = waiting.shift();
    if (next) next();
    else used--;
  }
}
