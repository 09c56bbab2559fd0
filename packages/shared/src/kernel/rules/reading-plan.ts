/** Collection times of a post: frequent while it is young, rare when it is old (D-34). */
import { dayMs, hourMs, minuteMs } from './durations.ts';

const intervals = [
  { youngerThanMs: 6 * hourMs, everyMs: 15 * minuteMs },
  { youngerThanMs: dayMs, everyMs: hourMs },
  { youngerThanMs: 7 * dayMs, everyMs: 6 * hourMs },
  { youngerThanMs: 30 * dayMs, everyMs: dayMs },
  { youngerThanMs: 90 * dayMs, everyMs: 3 * dayMs },
  { youngerThanMs: 365 * dayMs, everyMs: 7 * dayMs },
] as const;
const oldEveryMs = 30 * dayMs;

/** The interval for a post of that age, in ms. */
export function intervalMs(ageMs: number): number {
  return intervals.find(({ youngerThanMs }) => ageMs < youngerThanMs)?.everyMs ?? oldEveryMs;
}

/**
 * Never before the interval has passed, and at most a twelfth of it later: times are rounded up to common
 * marks, so that posts are due together and fill the batches of 50.
 */
export function nextCollectionAt(publishedAt: Date, now: Date): Date {
  const everyMs = intervalMs(now.getTime() - publishedAt.getTime());
  const markMs = everyMs / 12;
  return new Date(Math.ceil((now.getTime() + everyMs) / markMs) * markMs);
}

const missedRetriesMs = [hourMs, 6 * hourMs, dayMs] as const;

/**
 * For a post missing from the answer: deleted, private, or left out by mistake. Tried again after 1 h, 6 h, a
 * day, then weekly; never sooner than its interval.
 * @param misses consecutive misses, including this one.
 */
export function nextCheckAt(publishedAt: Date, misses: number, now: Date): Date {
  const waitMs = missedRetriesMs[misses - 1] ?? 7 * dayMs;
  return new Date(now.getTime() + Math.max(waitMs, intervalMs(now.getTime() - publishedAt.getTime())));
}

/**
 * After a failed call: 1, 2, 4, ... minutes, at most 6 h, plus up to half as long depending on the post's id,
 * so that posts which failed together are not retried together: one of them may be the cause.
 * @param failures consecutive failures, including this one.
 */
export function retryAt(postId: string, failures: number, now: Date): Date {
  const waitMs = Math.min(minuteMs * 2 ** (failures - 1), 6 * hourMs);
  return new Date(now.getTime() + Math.round(waitMs * (1 + shareOf(postId) / 2)));
}

/** 0 to 1, always the same for an id (FNV-1a). */
function shareOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
