/**
 * Decks drawn at the same time: one per core of a small machine. Each holds two slides of 8 MB, the files of
 * its pictures (at most 11 and a logo, usually 1 MB each, never over 10 MB), and one decoded picture of at
 * most 33 MB. A deck that waits holds none of it: its files are read when it has its slot.
 */
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

/** Decks that may be paused: they keep their two slides and the files of their pictures. */
const pausedMax = 2;
/** Slides, a usual deck, that an owner draws before it lets another one in who draws nothing. */
const turnSlides = 6;

/** Decks of one owner take turns with those of others; alone, an owner uses every slot. */
type Deck = { owner: string; slides: number; isPaused: boolean; start: () => void; refuse: () => void };

const running = new Map<string, number>();
const waiting: Deck[] = [];
let used = 0;
/**
 * Counts the starts; by owner, the last one, or the last before it came. Forgotten when nothing is drawn, or beyond
 * `ownersMax`.
 */
let starts = 0;
const ownersMax = 1_000;
const lastStart = new Map<string, number>();

/** More slides are requested than can be drawn in time; a retry in a moment may succeed. */
export class RenderBusyError extends Error {
  override name = 'RenderBusyError';
}

export type Slot = {
  /** Called between two slides. Lets a deck of another owner go first if this owner has had its share. */
  yield(): Promise<void> | void;
};

/**
 * Runs `draw` when a slot is free. The owners who wait take turns; decks of one owner run in the
 * order in which they came.
 * @param owner whose share the deck counts against
 * @param slides number of slides in the deck
 * @throws RenderBusyError when more than 72 slides would wait and no owner has more of them waiting,
 * or after waiting for 4 s
 */
export async function withRenderSlot<T>(
  owner: string,
  slides: number,
  draw: (slot: Slot) => Promise<T>,
): Promise<T> {
  if (used < slotsMax) enter(owner);
  else {
    makeRoom(owner, slides);
    await awaitSlot(owner, slides);
  }
  let drawn = 0;
  try {
    return await draw({
      yield() {
        drawn += 1;
        const hasHadTurn = (running.get(owner) ?? 0) > 1 || drawn >= turnSlides;
        if (waiting.length === 0 || !hasHadTurn || !isOtherIdle(owner) || pausedCount() >= pausedMax) return;
        drawn = 0;
        return new Promise<void>(resolve => {
          waiting.unshift({ owner, slides: 0, isPaused: true, start: resolve, refuse: () => {} });
          leave(owner);
        });
      },
    });
  } finally {
    leave(owner);
  }
}

function enter(owner: string): void {
  used += 1;
  starts += 1;
  running.set(owner, (running.get(owner) ?? 0) + 1);
  if (lastStart.size >= ownersMax) lastStart.clear();
  lastStart.set(owner, starts);
}

/** A slot is handed over in the same step, so that nothing can jump the queue. */
function leave(owner: string): void {
  used -= 1;
  const left = (running.get(owner) ?? 1) - 1;
  if (left > 0) running.set(owner, left);
  else running.delete(owner);
  const next = takeNext();
  if (next) {
    enter(next.owner);
    next.start();
  } else if (used === 0) lastStart.clear();
}

/** The owner who draws the least; of several, the one who waits for a turn the longest. */
function takeNext(): Deck | undefined {
  let best: Deck | undefined;
  for (const deck of waiting) if (!best || isBefore(deck.owner, best.owner)) best = deck;
  if (best) waiting.splice(waiting.indexOf(best), 1);
  return best;
}

function isBefore(one: string, other: string): boolean {
  const byRunning = (running.get(one) ?? 0) - (running.get(other) ?? 0);
  return byRunning < 0 || (byRunning === 0 && (lastStart.get(one) ?? 0) < (lastStart.get(other) ?? 0));
}

function isOtherIdle(owner: string): boolean {
  return waiting.some(deck => deck.owner !== owner && !running.has(deck.owner));
}

function pausedCount(): number {
  return waiting.filter(({ isPaused }) => isPaused).length;
}

function waitingSlidesOf(owner?: string): number {
  return waiting.reduce(
    (sum, deck) => (owner === undefined || deck.owner === owner ? sum + deck.slides : sum),
    0,
  );
}

/**
 * Refuses the newest decks of the owner who has the most slides waiting, so that who
 * fills the queue pays for it.
 */
function makeRoom(owner: string, slides: number): void {
  while (waitingSlidesOf() + slides > waitingSlidesMax) {
    const own = waitingSlidesOf(owner) + slides;
    const newest = waiting.findLast(
      deck => !deck.isPaused && deck.owner !== owner && waitingSlidesOf(deck.owner) > own,
    );
    if (!newest) throw new RenderBusyError('too many slides wait to be drawn');
    waiting.splice(waiting.indexOf(newest), 1);
    newest.refuse();
  }
}

function awaitSlot(owner: string, slides: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const deck: Deck = {
      owner,
      slides,
      isPaused: false,
      start: () => {
        clearTimeout(timer);
        resolve();
      },
      refuse: () => {
        clearTimeout(timer);
        reject(new RenderBusyError('too many slides wait to be drawn'));
      },
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(deck), 1);
      reject(new RenderBusyError('no slot was free in time'));
    }, waitingMaxMs);
    // A newcomer goes before whoever was served last, behind all who wait longer.
    if (!lastStart.has(owner)) lastStart.set(owner, starts - 0.5);
    waiting.push(deck);
  });
}
