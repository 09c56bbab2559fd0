import type { Numbers } from '../platforms/numbers.rules.ts';

export type Counts = { views: number; likes: number; comments: number };

export type DaySnapshot = Numbers & { postId: string /** `YYYY-MM-DD`, UTC. */; day: string };

/** Adds numbers; one that a platform hides counts as zero. A sum is capped at 2^53 - 1 to stay exact. */
export function sumCounts(rows: Iterable<Numbers>): Counts {
  const sum = { views: 0, likes: 0, comments: 0 };
  for (const row of rows) {
    sum.views = Math.min(sum.views + (row.views ?? 0), Number.MAX_SAFE_INTEGER);
    sum.likes = Math.min(sum.likes + (row.likes ?? 0), Number.MAX_SAFE_INTEGER);
    sum.comments = Math.min(sum.comments + (row.comments ?? 0), Number.MAX_SAFE_INTEGER);
  }
  return sum;
}

/**
 * The running total of all posts at the end of each day on which one was measured. A post that was not
 * measured that day counts with its last numbers; otherwise the line would drop where a collection was late.
 * @param snapshots oldest day first.
 */
export function historyOf(snapshots: readonly DaySnapshot[]): (Counts & { day: string })[] {
  const latest = new Map<string, DaySnapshot>();
  const days: (Counts & { day: string })[] = [];
  for (const [day, ofDay] of Map.groupBy(snapshots, snapshot => snapshot.day)) {
    for (const snapshot of ofDay) latest.set(snapshot.postId, snapshot);
    days.push({ day, ...sumCounts(latest.values()) });
  }
  return days;
}
