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
const lastStartsMax = 2_048;

type Waiting = { start(): void; refuse(): void };
type Share = { inFlight: number; slow: number; waiting: Waiting[]; waitingSlow: Waiting[] };

export function createFairQueue({
  slots,
  slowMax = Number.POSITIVE_INFINITY,
  slowShare = 1,
  waitMaxMs = 10_000,
}: FairQueueOptions): FairQueue {
  const shares = new Map<string, Share>();
  /**
   * By workspace, when it last took a slot; a newcomer goes before whoever was served last,
   * behind all who wait longer.
   */
  const lastStarts = new Map<string, number>();
  let starts = 0;
  let inFlight = 0;
  let slowInFlight = 0;
  let waitingCount = 0;

  function begin(workspace: string, share: Share, isSlow: boolean): void {
    if (lastStarts.size >= lastStartsMax) lastStarts.clear();
    starts += 1;
    lastStarts.set(workspace, starts);
    inFlight += 1;
    share.inFlight += 1;
    if (!isSlow) return;
    share.slow += 1;
    slowInFlight += 1;
  }

  const mayBeginSlow = (share: Share): boolean =>
    share.slow < slowMax && slowInFlight < Math.max(1, Math.floor(slots() * slowShare));

  function next(share: Share): { list: Waiting[]; isSlow: boolean } | null {
    if (share.waiting.length > 0) return { list: share.waiting, isSlow: false };
    if (share.waitingSlow.length > 0 && mayBeginSlow(share)) return { list: share.waitingSlow, isSlow: true };
    return null;
  }

  function serveNext(): boolean {
    let earliest = Number.POSITIVE_INFINITY;
    let chosen: { workspace: string; share: Share; list: Waiting[]; isSlow: boolean } | null = null;
    for (const [workspace, share] of shares) {
      const lastStart = lastStarts.get(workspace) ?? 0;
      const found = lastStart < earliest && next(share);
      if (!found) continue;
      earliest = lastStart;
      chosen = { workspace, share, ...found };
    }
    if (!chosen) return false;
    waitingCount -= 1;
    begin(chosen.workspace, chosen.share, chosen.isSlow);
    chosen.list.shift()?.start();
    return true;
  }

  function serve(): void {
    while (waitingCount > 0 && inFlight < slots() && serveNext());
  }

  function forget(workspace: string, share: Share): void {
    if (share.inFlight + share.waiting.length + share.waitingSlow.length === 0) shares.delete(workspace);
  }

  /**
   * Refuses the newest request of the workspace that has the most waiting, so that whoever fills the queue
   * pays for it.
   */
  function makeRoom(own: Share): void {
    if (waitingCount < waitingMax) return;
    const sizeOf = (share: Share): number => share.waiting.length + share.waitingSlow.length;
    let heaviest = own;
    for (const share of shares.values()) if (sizeOf(share) > sizeOf(heaviest)) heaviest = share;
    if (heaviest === own) throw new QueueFullError('too many requests wait');
    (heaviest.waiting.at(-1) ?? heaviest.waitingSlow.at(-1))?.refuse();
  }

  function wait({ workspace, isSlow = false, onGone }: QueuedRequest, share: Share): Promise<void> {
    const list = isSlow ? share.waitingSlow : share.waiting;
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        const at = list.indexOf(one);
        if (at < 0) return;
        clearTimeout(timer);
        list.splice(at, 1);
        waitingCount -= 1;
        forget(workspace, share);
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
      onGone?.(refuse);
      list.push(one);
      waitingCount += 1;
    });
  }

  return {
    enter(request) {
      const { workspace, isSlow = false } = request;
      let share = shares.get(workspace);
      if (!share) {
        share = { inFlight: 0, slow: 0, waiting: [], waitingSlow: [] };
        shares.set(workspace, share);
        if (!lastStarts.has(workspace)) lastStarts.set(workspace, starts - 0.5);
      }
      const isFree = inFlight < slots() && share.waiting.length === 0;
      if (isFree && (!isSlow || (mayBeginSlow(share) && share.waitingSlow.length === 0))) {
        begin(workspace, share, isSlow);
        return null;
      }
      try {
        if (isSlow && share.waitingSlow.length >= slowWaitingMax) throw new QueueFullError('too many wait');
        makeRoom(share);
      } catch (error) {
        forget(workspace, share);
        throw error;
      }
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
      forget(workspace, share);
      serve();
      if (inFlight === 0) lastStarts.clear();
    },
  };
}
