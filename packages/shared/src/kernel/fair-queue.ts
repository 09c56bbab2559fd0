/**
 * Slots for which workspaces take turns: one that is alone can use every slot, otherwise each gets its share.
 * Slow requests hold a slot for seconds, so few of one workspace are in flight.
 */
export type FairQueue = {
  /**
   * Takes a slot, or waits for one.
   * @returns null when it has a slot now
   * @throws QueueFullError, or rejects with it after `waitMaxMs`
   */
  enter(request: QueuedRequest): Promise<void> | null;
  /** Gives the slot back. */
  leave(request: Pick<QueuedRequest, 'workspace' | 'isSlow'>): void;
};

export type QueuedRequest = {
  workspace: string;
  isSlow?: boolean;
  /** Calls back once when the client hangs up. Only used while the request waits. */
  onGone?(callback: () => void): void;
};

export type FairQueueOptions = {
  /** Slots now. */
  slots: () => number;
  /** Slow requests of one workspace in flight; default: as many as there are slots. */
  slowMax?: number;
  /** Part of the slots that slow requests of all workspaces may have; default: all. */
  slowShare?: number;
  /** Default 10 s. */
  waitMaxMs?: number;
};

/** Too many requests wait, or no slot was free in time. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

// One workspace may have so many.
const slowWaitingMax = 256;
// All workspaces together may have so many.
const waitingMax = 1_024;
const idleMax = 2_048;

type Waiting = { start(): void; refuse(): void };
type Turn = { share: Share; list: Waiting[]; isSlow: boolean };
type Share = {
  /**
   * When it last took a slot, as a number of starts. A newcomer goes before whoever was served last,
   * behind all who wait longer.
   */
  lastStart: number;
  inFlight: number;
  slow: number;
  waiting: Waiting[];
  waitingSlow: Waiting[];
};

const sizeOf = (share: Share): number => share.waiting.length + share.waitingSlow.length;

export function createFairQueue({
  slots,
  slowMax = Number.POSITIVE_INFINITY,
  slowShare = 1,
  waitMaxMs = 10_000,
}: FairQueueOptions): FairQueue {
  const shares = new Map<string, Share>();
  /** Contains each share in which a request waits. */
  const queued = new Set<Share>();
  let forgetFrom = idleMax;
  let starts = 0;
  let inFlight = 0;
  let slowInFlight = 0;
  let waitingCount = 0;

  function begin(share: Share, isSlow: boolean): void {
    starts += 1;
    share.lastStart = starts;
    inFlight += 1;
    share.inFlight += 1;
    if (!isSlow) return;
    share.slow += 1;
    slowInFlight += 1;
  }

  const mayBeginSlow = (share: Share): boolean =>
    share.slow < slowMax && slowInFlight < Math.max(1, Math.floor(slots() * slowShare));

  function next(share: Share): Turn | null {
    if (share.waiting.length > 0) return { share, list: share.waiting, isSlow: false };
    if (share.waitingSlow.length > 0 && mayBeginSlow(share))
      return { share, list: share.waitingSlow, isSlow: true };
    return null;
  }

  function serveNext(): boolean {
    let chosen: Turn | null = null;
    for (const share of queued) {
      if (!chosen || share.lastStart < chosen.share.lastStart) chosen = next(share) ?? chosen;
    }
    const one = chosen?.list.shift();
    if (!chosen || !one) return false;
    begin(chosen.share, chosen.isSlow);
    waitNoMore(chosen.share);
    one.start();
    return true;
  }

  function serve(): void {
    while (waitingCount > 0 && inFlight < slots() && serveNext());
  }

  function waitNoMore(share: Share): void {
    waitingCount -= 1;
    if (sizeOf(share) === 0) queued.delete(share);
  }

  function shareOf(workspace: string): Share {
    let share = shares.get(workspace);
    if (!share) {
      if (shares.size >= forgetFrom) forgetIdle();
      share = { lastStart: starts - 0.5, inFlight: 0, slow: 0, waiting: [], waitingSlow: [] };
      shares.set(workspace, share);
    }
    return share;
  }

  function forgetIdle(): void {
    for (const [name, share] of shares) if (share.inFlight + sizeOf(share) === 0) shares.delete(name);
    forgetFrom = Math.max(idleMax, 2 * shares.size);
  }

  /**
   * Refuses the newest request of the workspace that has the most waiting, so that whoever fills the queue
   * pays for it.
   */
  function makeRoom(own: Share): void {
    if (waitingCount < waitingMax) return;
    let heaviest = own;
    for (const share of queued) if (sizeOf(share) > sizeOf(heaviest)) heaviest = share;
    if (heaviest === own) throw new QueueFullError('too many requests wait');
    (heaviest.waiting.at(-1) ?? heaviest.waitingSlow.at(-1))?.refuse();
  }

  function wait(request: QueuedRequest, share: Share): Promise<void> {
    const list = request.isSlow ? share.waitingSlow : share.waiting;
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        const at = list.indexOf(one);
        if (at < 0) return;
        clearTimeout(timer);
        list.splice(at, 1);
        waitNoMore(share);
        reject(new QueueFullError('no slot was free in time'));
      };
      const one: Waiting = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse,
      };
      const timer = setTimeout(refuse, waitMaxMs);
      request.onGone?.(refuse);
      list.push(one);
      queued.add(share);
      waitingCount += 1;
    });
  }

  return {
    enter(request) {
      const { workspace, isSlow = false } = request;
      const share = shareOf(workspace);
      const isFree = inFlight < slots() && share.waiting.length === 0;
      if (isFree && (!isSlow || (mayBeginSlow(share) && share.waitingSlow.length === 0))) {
        begin(share, isSlow);
        return null;
      }
      if (isSlow && share.waitingSlow.length >= slowWaitingMax) throw new QueueFullError('too many wait');
      makeRoom(share);
      return wait(request, share);
    },
    leave({ workspace, isSlow = false }) {
      const share = shares.get(workspace);
      if (!share) throw new Error('left without a slot');
      inFlight -= 1;
      share.inFlight -= 1;
      if (isSlow) {
        share.slow -= 1;
        slowInFlight -= 1;
      }
      serve();
    },
  };
}
