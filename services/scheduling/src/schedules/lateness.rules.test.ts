import { hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { expect, it } from 'vitest';
import { defaultTimings } from '../timings.ts';
import { isMissed, nextTryMs } from './lateness.rules.ts';

const due = new Date('2026-03-01T09:00:00Z');
const fresh = { scheduledFor: due, heldSince: null, tries: 0, resends: 0 };
const isMissedAfter = (lateMs: number, change: Partial<typeof fresh> | { heldSince: Date } = {}): boolean =>
  isMissed({ ...fresh, ...change }, defaultTimings, new Date(due.getTime() + lateMs));

it('a post is missed more than two hours after its time', () => {
  expect([isMissedAfter(2 * hourMs), isMissedAfter(2 * hourMs + 1)]).toEqual([false, true]);
});

it('a post that was put off until then is not missed while its last try is under way', () => {
  expect(isMissedAfter(2 * hourMs + minuteMs, { tries: 20 })).toBe(false);
  expect(isMissedAfter(2 * hourMs + minuteMs, { resends: 3 })).toBe(false);
  expect(isMissedAfter(72 * hourMs, { tries: 20 })).toBe(true);
});

it('a post that waited for an approval is missed after a day', () => {
  expect(isMissedAfter(23 * hourMs, { heldSince: due })).toBe(false);
  expect(isMissedAfter(25 * hourMs, { heldSince: due })).toBe(true);
});

/**
 * Tries until an attempt falls after the end of the outage.
 * @returns minutes past its time, or null if it was given up.
 */
function playOutage(startMs: number, outageMs: number): { sentAfterMin: number | null; tries: number } {
  let nowMs = due.getTime() + startMs;
  const endMs = nowMs + outageMs;
  for (let tries = 0; ; tries += 1) {
    if (nowMs >= endMs) return { sentAfterMin: (nowMs - due.getTime()) / minuteMs, tries };
    const pauseMs = nextTryMs({ tries, scheduledFor: due }, defaultTimings, new Date(nowMs));
    if (pauseMs === null) return { sentAfterMin: null, tries };
    nowMs += pauseMs;
  }
}

it.each([0.5, 4, 10, 30, 60, 119])('an outage of %d min costs no post, and at most 5 min more', outageMin => {
  const { sentAfterMin } = playOutage(0, outageMin * minuteMs);
  expect(sentAfterMin).not.toBeNull();
  expect((sentAfterMin ?? 0) - outageMin).toBeLessThanOrEqual(5);
});

it('a post that waited for an approval is tried for a day', () => {
  const now = new Date(due.getTime() + 5 * hourMs);
  const waiting = { tries: 20, scheduledFor: due };
  expect(nextTryMs(waiting, defaultTimings, now)).toBeNull();
  expect(nextTryMs({ ...waiting, heldSince: due }, defaultTimings, now)).toBe(5 * minuteMs);
});

it('tries end after two hours', () => {
  expect(playOutage(0, 121 * minuteMs).sentAfterMin).toBeNull();
  expect(playOutage(0, 1_000 * minuteMs).tries).toBeLessThan(40);
});
