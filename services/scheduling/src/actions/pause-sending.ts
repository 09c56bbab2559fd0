/** The operator's switch: while it is off, nothing is claimed and no call begins, in no process. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Parts } from '../parts.ts';
import { wakeWorkers } from '../queries/due-schedules.ts';
import {
  countCallsInHand,
  type EndedPause,
  endPause,
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
  const pause = await db.transaction(tx => openPause(tx, reason, now()));
  const until = performance.now() + underWayMaxMs;
  let underWay = await countCallsInHand(db);
  while (underWay > 0 && performance.now() < until) {
    await delay(lookEveryMs);
    underWay = await countCallsInHand(db);
  }
  return { ...pause, underWay };
}

/** @returns how many schedules were held up, or null when sending was not paused. */
export function resumeSending({
  db,
  now,
}: Pick<Parts, 'db' | 'now'>): Promise<(EndedPause & { waiting: number }) | null> {
  return db.transaction(async tx => {
    const ended = await endPause(tx, now());
    if (!ended) return null;
    const waiting = await tellPaused(tx, ended, now());
    wakeWorkers(tx);
    return { ...ended, waiting };
  });
}
