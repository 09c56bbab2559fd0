import { expect, it } from 'vitest';
import { retryAfterMs, stillDue } from './decision.ts';
import { hourMs } from './durations.ts';

it('forgets what was left a day ago, as the server forgets its key', () => {
  const left = [1, 23, 24, 48].map(hours => ({ key: `${hours}`, owner: null, at: -hours * hourMs }));
  expect(stillDue(left, 0).map(({ key }) => key)).toEqual(['1', '23']);
});

it('waits longer after every failure, at most a minute', () => {
  expect([1, 2, 3, 5, 6, 40].map(retryAfterMs)).toEqual([2_000, 4_000, 8_000, 32_000, 60_000, 60_000]);
});
