import { pruneBatch } from '@hookline/shared/kernel';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { pruneListings, pruneStoreCallers } from '../apps/queries-listings.ts';
import { listingKeptMs } from '../apps/read-listing.ts';
import { utcDay } from '../credits/day.rules.ts';
import { pruneDailyGenerations } from '../credits/queries.ts';
import type { ContentDeps } from '../deps.ts';
import { pruneSchedules } from '../permits/queries-schedules.ts';

// A reservation refers to its day for a minute; a week leaves time to investigate.
const dayKeptMs = 7 * dayMs;
// An event waits less in a dead letter before it is applied.
const scheduleKeptMs = 30 * dayMs;

export function pruneOldWorker(deps: ContentDeps): Worker {
  return { name: 'prune-old', work: () => pruneOld(deps), pollMs: hourMs, needsSteadyClock: true };
}

/** @returns true if there may be more */
async function pruneOld({ db, now }: Pick<ContentDeps, 'db' | 'now'>): Promise<boolean> {
  const before = (ms: number): Date => new Date(now().getTime() - ms);
  const pruned = [
    await pruneDailyGenerations(db, utcDay(before(dayKeptMs))),
    await pruneListings(db, before(listingKeptMs)),
    await pruneStoreCallers(db, before(listingKeptMs)),
    await pruneSchedules(db, before(scheduleKeptMs)),
  ];
  return pruned.includes(pruneBatch);
}
