import { hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { expect, it } from 'vitest';
import { defaultTimings } from '../timings.ts';
import { isMissed } from './lateness.ts';

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
