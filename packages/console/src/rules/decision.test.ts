import { expect, it } from 'vitest';
import { isUndecided, retryAfterMs, stillDue } from './decision.ts';
import { hourMs } from './durations.ts';

it('forgets what was left a day ago, as the server forgets its key', () => {
  const left = [1, 23, 24, 48].map(hours => ({ key: `${hours}`, owner: null, at: -hours * hourMs }));
  expect(stillDue(left, 0).map(({ key }) => key)).toEqual(['1', '23']);
});

it('waits longer after every failure, at most a minute', () => {
  expect([1, 2, 3, 5, 6, 40].map(retryAfterMs)).toEqual([2_000, 4_000, 8_000, 32_000, 60_000, 60_000]);
});

it('goes on after what says nothing about the decision', () => {
  const statuses = [0, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];
  expect(statuses.filter(status => isUndecided(status, null, 0))).toEqual([0, 401, 500, 502, 503, 504]);
  // 429, and 409 while an earlier request under the same key still runs.
  expect([409, 429].filter(status => isUndecided(status, 1_000, 0))).toEqual([409, 429]);
  expect([500, 503].map(status => isUndecided(status, null, 4))).toEqual([false, true]);
});
