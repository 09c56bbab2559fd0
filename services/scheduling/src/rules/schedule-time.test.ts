import { describe, expect, it } from 'vitest';
import { plannedTime, requestedTime, scheduledForOf, slotTime } from './schedule-time.ts';

const now = new Date('2026-11-21T09:00:00Z');
const inMs = (ms: number): string => new Date(now.getTime() + ms).toISOString();
const dayMs = 86_400_000;

describe('the time of a request', () => {
  it('is now where none is given, and the row gets the time of its write', () => {
    const time = requestedTime(undefined, now);
    expect(time.isImmediate).toBe(true);
    const written = new Date(now.getTime() + 3_000);
    expect(scheduledForOf(time, written)).toEqual(written);
  });

  it.each([-60_000, 0, 365 * dayMs])('may be %d ms from now, and is kept', ms => {
    const time = requestedTime(inMs(ms), now);
    expect(time).toEqual(plannedTime(new Date(inMs(ms))));
    expect(scheduledForOf(time, new Date())).toEqual(new Date(inMs(ms)));
  });

  it.each([
    [-60_001, 'scheduledFor must not be more than 60 s in the past'],
    [365 * dayMs + 1, 'scheduledFor must be at most 365 days ahead'],
  ])('%d ms from now is refused', (ms, message) => {
    expect(() => requestedTime(inMs(ms), now)).toThrow(message);
  });
});

it('keeps the time of a firing however late its event is', () => {
  expect(slotTime(inMs(-dayMs))).toEqual(new Date(inMs(-dayMs)));
});
