import { minuteMs } from '@hookline/shared/kernel/durations';
import { expect, it } from 'vitest';
import { nextPauseMs } from './wait-again.rules.ts';

const dueAt = new Date('2026-03-01T09:00:00Z');

/** @returns minutes from the queue to the first try after the outage, or null if it was given up */
function playOutage(startMin: number, outageMin: number): { madeAfterMin: number | null; tries: number } {
  let nowMs = dueAt.getTime() + startMin * minuteMs;
  const endMs = nowMs + outageMin * minuteMs;
  for (let waits = 0; ; waits += 1) {
    if (nowMs >= endMs) return { madeAfterMin: (nowMs - dueAt.getTime()) / minuteMs, tries: waits };
    const pauseMs = nextPauseMs({ waits, dueAt }, new Date(nowMs));
    if (pauseMs === null) return { madeAfterMin: null, tries: waits + 1 };
    nowMs += pauseMs;
  }
}

it.each([0.1, 4, 30, 60, 119])('an outage of %d min costs no deck, and at most 5 min more', outageMin => {
  const { madeAfterMin } = playOutage(0, outageMin);
  expect(madeAfterMin).not.toBeNull();
  expect((madeAfterMin ?? 0) - outageMin).toBeLessThanOrEqual(5);
});

it('a queued content is given up after two hours and about 30 tries', () => {
  const { madeAfterMin, tries } = playOutage(0, 121);
  expect(madeAfterMin).toBeNull();
  expect(tries).toBeLessThan(40);
});

it('a content claimed after two hours is still tried three times', () => {
  expect(playOutage(200, 60)).toEqual({ madeAfterMin: null, tries: 3 });
});
