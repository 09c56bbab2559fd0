/**
 * The claimed deliveries of a process, in a lane per endpoint: waiting, in flight, or with an outcome that
 * is not yet written. No endpoint can take more of the process than its window.
 */
import { burstMax, nextWindow, sendingMax, windowStart } from './endpoint-window.rules.ts';
import { type Tokens, takeToken } from './host-windows.ts';

export type LaneItem = { id: string; webhookId: string };

/** `isTaken` says that the receiver accepted it; `recorded` resolves once the outcome is written. */
export type Sent = { isTaken: boolean; recorded: Promise<void> };

type Lane<T> = {
  window: number;
  sending: number;
  held: number;
  waiting: T[];
  mayHaveMore: boolean;
  tokens: Tokens;
  resume: NodeJS.Timeout | undefined;
};

export type Lanes<T extends LaneItem> = {
  readonly size: number;
  /** Endpoints not listed have room for `windowStart`. */
  room(): Map<string, number>;
  /** @param room what `room` returned before the claim */
  add(items: readonly T[], room: ReadonlyMap<string, number>): void;
  heldLongerThan(ms: number): string[];
  /**
   * Removes what is not started and has waited for so long, so that a hanging endpoint makes room.
   * @param webhookId default: of every endpoint
   */
  takeWaiting(ms: number, webhookId?: string): T[];
  settled(): Promise<void>;
};

export type LanesOptions<T> = {
  sizeMax: number;
  /** `send` must not reject, nor may `recorded`. */
  send: (item: T) => Promise<Sent>;
  onRoom: () => void;
  onRelease?: (item: T) => void;
  /** Returns false if the item must wait for its host. */
  takeHostPlace?: (item: T) => boolean;
};

const idleMax = 10_000;

// If a process is killed or loses its database, deliveries that were taken but not recorded are sent again:
// at most this many, and those that took longer than 50 ms. A delivery has a place for its first 50 ms, so
// that slow receivers delay no other, and again from the moment it is taken until that is recorded.
const placesMax = 48;
const placeMs = 50;
// Four stalls in a row: a process that is always late must not keep places for receivers that hang.
const stallMs = 20;
const stallsMax = 4;

const pacedPauseMs = 20;
// Lanes that wait for a place at the same host ask at different times, so that none is always the last.
const hostPauseMs = 250;

function createPlaces(onFree: () => void) {
  let places = 0;

  function take(): { keep(): void; free(): void } {
    let isHeld = true;
    let dueMs = performance.now() + placeMs;
    let stalls = 0;
    let timer = setTimeout(expire, placeMs);
    places += 1;

    function expire(): void {
      const nowMs = performance.now();
      // A late timer shows that the process was stalled, and has yet to send or to read the answer.
      if (nowMs - dueMs > stallMs && stalls < stallsMax) {
        stalls += 1;
        dueMs = nowMs + placeMs;
        timer = setTimeout(expire, placeMs);
      } else free();
    }

    function keep(): void {
      clearTimeout(timer);
      if (isHeld) return;
      isHeld = true;
      places += 1;
    }

    function free(): void {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      places -= 1;
      onFree();
    }
    return { keep, free };
  }
  return { take, isFull: () => places >= placesMax };
}

function createPump<T>(
  { send, takeHostPlace = () => true }: Pick<LanesOptions<T>, 'send' | 'takeHostPlace'>,
  onDone: (lane: Lane<T>, item: T) => void,
) {
  const inFlight = new Set<Promise<void>>();
  const stalled = new Set<Lane<T>>();
  const places = createPlaces(() => {
    for (const lane of stalled) {
      if (places.isFull()) return;
      stalled.delete(lane);
      pump(lane);
    }
  });

  function pump(lane: Lane<T>): void {
    while (lane.waiting.length > 0 && lane.sending < Math.min(sendingMax, lane.window)) {
      if (places.isFull()) {
        stalled.add(lane);
        return;
      }
      if (!takeToken(lane.tokens, performance.now())) {
        resumeLater(lane, pacedPauseMs);
        return;
      }
      if (!takeHostPlace(lane.waiting[0] as T)) {
        resumeLater(lane, hostPauseMs * (0.5 + Math.random()));
        return;
      }
      const item = lane.waiting.shift() as T;
      lane.sending += 1;
      const done = run(lane, item).finally(() => inFlight.delete(done));
      inFlight.add(done);
    }
  }

  function resumeLater(lane: Lane<T>, ms: number): void {
    lane.resume ??= setTimeout(() => {
      lane.resume = undefined;
      pump(lane);
    }, ms).unref();
  }

  async function run(lane: Lane<T>, item: T): Promise<void> {
    const beganMs = performance.now();
    const place = places.take();
    const { isTaken, recorded } = await send(item);
    if (isTaken) place.keep();
    lane.sending -= 1;
    lane.window = nextWindow(lane.window, isTaken, performance.now() - beganMs);
    pump(lane);
    await recorded;
    place.free();
    onDone(lane, item);
  }

  async function settled(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight);
  }
  return { pump, settled };
}

/** Lanes refill when half is used: a claim after every delivery would cost more than the delivery. */
function roomOf({ window, held }: Lane<unknown>): number {
  const isStocked = window > sendingMax && held > window / 2;
  return isStocked ? 0 : Math.max(0, window - held);
}

export function createLanes<T extends LaneItem>(options: LanesOptions<T>): Lanes<T> {
  const { sizeMax, onRoom, onRelease } = options;
  const lanes = new Map<string, Lane<T>>();
  const claimed = new Map<string, { item: T; sinceMs: number }>();
  const recordedSinceRoom = new Set<string>();

  const { pump, settled } = createPump(options, (lane, item) => {
    const wasFull = claimed.size >= sizeMax;
    recordedSinceRoom.add(item.id);
    release(lane, item);
    if (wasFull || (lane.mayHaveMore && lane.held <= lane.window / 2)) onRoom();
  });

  function laneOf(webhookId: string): Lane<T> {
    let lane = lanes.get(webhookId);
    if (!lane) {
      const pace = { tokens: { count: burstMax, countedMs: performance.now() }, resume: undefined };
      lane = { window: windowStart, sending: 0, held: 0, waiting: [], mayHaveMore: false, ...pace };
      lanes.set(webhookId, lane);
    }
    return lane;
  }

  function release(lane: Lane<T>, item: T): void {
    claimed.delete(item.id);
    lane.held -= 1;
    onRelease?.(item);
  }

  return {
    settled,
    get size() {
      return claimed.size;
    },
    room() {
      recordedSinceRoom.clear();
      return new Map([...lanes].map(([webhookId, lane]) => [webhookId, roomOf(lane)]));
    },
    add(items, room) {
      const counts = new Map<string, number>();
      const sinceMs = performance.now();
      for (const item of items) {
        counts.set(item.webhookId, (counts.get(item.webhookId) ?? 0) + 1);
        // A process that was stalled for longer than its lease, or whose claim was lost in a crash of Postgres,
        // claims a delivery a second time. Its outcome may be written before the claim is answered.
        if (claimed.has(item.id) || recordedSinceRoom.has(item.id)) continue;
        claimed.set(item.id, { item, sinceMs });
        const lane = laneOf(item.webhookId);
        lane.held += 1;
        lane.waiting.push(item);
      }
      for (const [webhookId, lane] of lanes) {
        // A lane without room was not checked, and may have more as well.
        lane.mayHaveMore = (counts.get(webhookId) ?? 0) >= (room.get(webhookId) ?? windowStart);
        pump(lane);
        // An idle lane is dropped; that of a failed endpoint only if there are very many.
        const isIdle = lane.held === 0 && !lane.mayHaveMore;
        if (isIdle && (lane.window >= windowStart || lanes.size > idleMax)) lanes.delete(webhookId);
      }
    },
    heldLongerThan(ms) {
      const before = performance.now() - ms;
      return [...claimed].filter(([, { sinceMs }]) => sinceMs < before).map(([id]) => id);
    },
    takeWaiting(ms, webhookId) {
      const before = performance.now() - ms;
      return [...lanes].flatMap(([id, lane]) => {
        if (webhookId && id !== webhookId) return [];
        const waiting = lane.waiting.filter(item => (claimed.get(item.id)?.sinceMs ?? 0) <= before);
        lane.waiting = lane.waiting.filter(item => !waiting.includes(item));
        for (const item of waiting) release(lane, item);
        if (waiting.length > 0) lane.window = Math.max(1, lane.sending);
        return waiting;
      });
    },
  };
}
