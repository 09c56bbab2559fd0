/** While a switch is off, no process claims a schedule or begins a call. */
import { setTimeout as delay } from 'node:timers/promises';
import { wakeSenders } from '../channels.ts';
import type { SchedulingDeps } from '../deps.ts';
import {
  awaitBeginnings,
  countClaimed,
  endPause,
  findOpenPause,
  type OpenPause,
  openPause,
  type Pause,
  pauseWorkspace,
  resumeWorkspace,
} from './queries.ts';
import { forgetServer } from './queries-witness.ts';

const checkEveryMs = 100;

/**
 * An open pause keeps its reason. Claimed schedules are still sent: `underWay` is how many after the wait.
 */
export async function pauseSending(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  reason: string | null,
  underWayMaxMs: number,
): Promise<Pause & { underWay: number }> {
  const pause = await db.transaction(tx => openPause(tx, { reason }, now()));
  const until = performance.now() + underWayMaxMs;
  let underWay = await countClaimed(db);
  while (underWay > 0 && performance.now() < until) {
    await delay(checkEveryMs);
    underWay = await countClaimed(db);
  }
  return { ...pause, underWay };
}

/**
 * @param nothingWasLost the operator found that a database which seems to have gone back lacks nothing.
 * @returns null if sending was not paused; `unsettled` if the database went back and nobody settled that
 */
export function resumeSending(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  nothingWasLost = false,
): Promise<OpenPause | 'unsettled' | null> {
  return db.transaction(async tx => {
    const open = await findOpenPause(tx);
    if (open?.cause === 'went_back' && !nothingWasLost) return 'unsettled';
    const ended = await endPause(tx, now());
    if (!ended) return null;
    if (ended.cause === 'went_back' || ended.cause === 'restored') await forgetServer(tx);
    wakeSenders(tx);
    return ended;
  });
}

/** When it resolves for a pause, no call of the workspace begins any more; one that has begun is settled. */
export async function setWorkspacePause(
  { db, now }: Pick<SchedulingDeps, 'db' | 'now'>,
  accountId: string,
  isPaused: boolean,
): Promise<void> {
  await db.transaction(async tx => {
    const ctx = { tx, now: now() };
    if (isPaused) return await pauseWorkspace(ctx, accountId);
    await resumeWorkspace(ctx, accountId);
    wakeSenders(tx);
  });
  if (isPaused) await awaitBeginnings(db, accountId);
}
