import { describe, expect, it } from 'vitest';
import { nextPacificMidnight, pacificDay } from './pacific-day.rules.ts';

describe('the Pacific day', () => {
  it.each([
    ['2026-11-21T07:59:59.999Z', '2026-11-20', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21T08:00:00.000Z', '2026-11-21', '2026-11-22T08:00:00.000Z'],
    ['2026-07-01T06:59:59.999Z', '2026-06-30', '2026-07-01T07:00:00.000Z'],
    // The days of 23 and 25 hours.
    ['2026-03-08T08:00:00.000Z', '2026-03-08', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01T07:00:00.000Z', '2026-11-01', '2026-11-02T08:00:00.000Z'],
    ['2026-12-31T20:00:00.000Z', '2026-12-31', '2027-01-01T08:00:00.000Z'],
  ])('at %s is %s and ends at %s', (at, day, end) => {
    expect(pacificDay(new Date(at))).toBe(day);
    expect(nextPacificMidnight(new Date(at)).toISOString()).toBe(end);
  });
});
