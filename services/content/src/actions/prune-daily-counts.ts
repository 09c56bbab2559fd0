import type { ContentDeps } from '../deps.ts';
import { pruneDailyGenerations } from '../queries/credits.ts';
import { utcDay } from '../rules/day.ts';

// A reservation refers to its day for a minute; a week leaves time to investigate.
const dayKeptMs = 7 * 24 * 3_600_000;

/** Deletes the counts of days over a week old, 1,000 at a time. @returns true if there may be more. */
export async function pruneDailyCounts({ db, now }: Pick<ContentDeps, 'db' | 'now'>): Promise<boolean> {
  return (await pruneDailyGenerations(db, utcDay(new Date(now().getTime() - dayKeptMs)))) === 1_000;
}
