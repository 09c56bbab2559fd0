import { dayMs } from '@hookline/shared/kernel/durations';
import { expect, it } from 'vitest';
import { readScheduledFor } from './input.rules.ts';

const now = new Date('2026-11-21T09:00:00Z');
const inMs = (ms: number): string => new Date(now.getTime() + ms).toISOString();

it.each([-60_000, 0, 365 * dayMs])('a time may be %d ms from now, and is kept', ms => {
  expect(readScheduledFor(inMs(ms), now)).toEqual(new Date(inMs(ms)));
});

it.each([
  [-60_001, 'scheduledFor must not be more than 60 s in the past'],
  [365 * dayMs + 1, 'scheduledFor must be at most 365 days ahead'],
])('%d ms from now is refused', (ms, message) => {
  expect(() => readScheduledFor(inMs(ms), now)).toThrow(message);
});
