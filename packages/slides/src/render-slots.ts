/** Decks drawn at the same time: one per core of a small machine; each holds two slides of 8 MB in memory. */
const slotsMax = 2;
/**
 * Slides that may wait, equal to twelve usual decks: at about 30 slides a second they are drawn within 3 s,
 * even behind two decks of 62. Counted in slides, because a deck may have 2 of them or 62.
 */
const waitingSlidesMax = 72;

/**
 * A deck that has not started after this time would not finish within a generation's 8 s: the machine is
 * overloaded.
 */
const waitingMaxMs = 4_000;

type Waiting = { slides: number; start: () => void };

let used = 0;
const waiting: Waiting[] = [];

/** More slides are requested than can be drawn in time; a retry in a moment may succeed. */
export class RenderBusyError extends Error {
  override name = 'RenderBusyError';
}

/**
 * Runs `draw` when a slot is free, first come first served.
 * @param slides number of slides in the deck
 * @throws RenderBusyError when more than 72 slides would wait (its own included), or after waiting for 4 s
 */
export async function withRenderSlot<T>(slides: number, draw: () => Promise<T>): Promise<T> {
  if (used >= slotsMax) {
    const waitingSlides = waiting.reduce((sum, one) => sum + one.slides, slides);
    if (waitingSlides > waitingSlidesMax) throw new RenderBusyError('too many slides wait to be drawn');
    await awaitSlot(slides);
  } else used++;
  try {
    return await draw();
  } finally {
    // A slot is handed over without being released, so that nothing can jump the queue.
    const next = waiting.shift();
    if (next) next.start();
    else used--;
  }
}

function awaitSlot(slides: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const one: Waiting = {
      slides,
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1);
      reject(new RenderBusyError('no slot was free in time'));
    }, waitingMaxMs);
    waiting.push(one);
  });
}
