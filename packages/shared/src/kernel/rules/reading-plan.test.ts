import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from './durations.ts';
import { intervalMs, nextCheckAt, nextCollectionAt, retryAt } from './reading-plan.ts';

const now = new Date('2026-11-21T12:34:56.789Z');
const ago = (ms: number): Date => new Date(now.getTime() - ms);

describe('intervalMs', () => {
  it.each([
    [0, 15 * minuteMs],
    [6 * hourMs - 1, 15 * minuteMs],
    [6 * hourMs, hourMs],
    [dayMs, 6 * hourMs],
    [7 * dayMs, dayMs],
    [30 * dayMs, 3 * dayMs],
    [90 * dayMs, 7 * dayMs],
    [365 * dayMs, 30 * dayMs],
    [5_000 * dayMs, 30 * dayMs],
  ])('at the age of %i ms is %i ms', (ageMs, everyMs) => {
    expect(intervalMs(ageMs)).toBe(everyMs);
  });

  it('takes a post from the future as a new one', () => {
    expect(intervalMs(-minuteMs)).toBe(15 * minuteMs);
  });
});

describe('nextCollectionAt', () => {
  it.each([0, 7 * hourMs, 3 * dayMs, 20 * dayMs, 60 * dayMs, 200 * dayMs, 900 * dayMs])(
    'comes one interval later at the soonest, a twelfth more at the latest (age %i ms)',
    ageMs => {
      const waitMs = nextCollectionAt(ago(ageMs), now).getTime() - now.getTime();
      expect(waitMs).toBeGreaterThanOrEqual(intervalMs(ageMs));
      expect(waitMs).toBeLessThan((intervalMs(ageMs) * 13) / 12);
    },
  );

  it('makes posts of one age fall due together, whenever they were collected', () => {
    const later = new Date(now.getTime() + 3 * minuteMs);
    expect(nextCollectionAt(ago(2 * dayMs), later)).toEqual(nextCollectionAt(ago(2 * dayMs), now));
  });
});

describe('nextCheckAt', () => {
  const waits = (published: Date): number[] =>
    [1, 2, 3, 4, 5].map(misses => (nextCheckAt(published, misses, now).getTime() - now.getTime()) / hourMs);

  it('waits 1 h, 6 h, a day, then a week each', () => {
    expect(waits(ago(0))).toEqual([1, 6, 24, 168, 168]);
  });

  it('never comes sooner than the interval of the age', () => {
    expect(waits(ago(40 * dayMs))).toEqual([72, 72, 72, 168, 168]);
  });
});

describe('retryAt', () => {
  const waitMs = (id: string, failures: number): number =>
    retryAt(id, failures, now).getTime() - now.getTime();

  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [8, 128],
    [9, 256],
    [10, 360],
    [1_000, 360],
  ])('after %i failures waits %i minutes, or up to half more', (failures, minutes) => {
    for (const id of ['post_a', 'post_b', 'post_c']) {
      expect(waitMs(id, failures)).toBeGreaterThanOrEqual(minutes * minuteMs);
      expect(waitMs(id, failures)).toBeLessThanOrEqual(minutes * 1.5 * minuteMs);
    }
  });

  it('takes posts apart that failed together', () => {
    const waits = Array.from({ length: 50 }, (_, index) => waitMs(`post_${index}`, 3));
    expect(new Set(waits).size).toBeGreaterThan(45);
  });
});
