/** The operator's switch: while it is off, nothing is claimed and no call begins, in no process. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Parts } from '../parts.ts';
import { forgetOffsets } from '../queries/database-witness.ts';
import { wakeWorkers } from '../queries/due-schedules.ts';
import {
  countCallsInHand,
  type EndedPause,
  endPause,
  findOpenPause,
  openPause,
  type Pause,
  tellPaused,
} from '../queries/sending-pauses.ts';

const lookEveryMs = 100;

/**
 * Repeatable: a pause that is open keeps its reason. What is in a worker's hands comes to its end, for which this waits.
 * @param underWayMaxMs longest wait
 * @returns `underWay`: schedules still in a worker's hands after the wait.
 */
export async function pauseSending(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  reason: string | null,
  underWayMaxMs: number,
): Promise<Pause & { underWay: number }> {
  const pause = await db.transaction(tx => openPause(tx, { reason }, now()));
  const until = performance.now() + underWayMaxMs;
  let underWay = await countCallsInHand(db);
  while (underWay > 0 && performance.now() < until) {
    await delay(lookEveryMs);
    underWay = await countCallsInHand(db);
  }
  return { ...pause, underWay };
}

export type Resumed = EndedPause & { waiting: number };

/**
 * @param nothingWasLost the operator found that a database which seems to have gone back lacks nothing.
 * @returns null when sending was not paused; `unsettled` when the database went back and nothing settled that.
 */
export function resumeSending(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  nothingWasLost = false,
): Promise<Resumed | 'unsettled' | null> {
  return db.transaction(async tx => {
    const open = await findOpenPause(tx);
    if (open?.cause === 'went_back' && !nothingWasLost) return 'unsettled';
    const ended = await endPause(tx, now());
    if (!ended) return null;
    // From here on the bus is compared with what is noted anew.
    if (ended.cause !== null) await forgetOffsets(tx);
    const waiting = await tellPaused(tx, ended, now());
    wakeWorkers(tx);
    return { ...ended, waiting };
  });
}
