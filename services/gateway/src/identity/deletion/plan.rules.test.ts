import { expect, it } from 'vitest';
import { nextReport, retryPauseMs, sweepAfterMs } from './plan.rules.ts';

const deleted = { standing: 'deleted' as const, attempts: 0, isDeleted: false };
const done = { kind: 'answered' as const, isDone: true, note: null };

it.each([
  ['a confirmed freeze', { ...deleted, standing: 'frozen' as const }, done, [null, 0, false]],
  ['a confirmed restore', { ...deleted, standing: 'open' as const, attempts: 3 }, done, [null, 0, false]],
  ['the first confirmed deletion', deleted, done, [sweepAfterMs, 0, true]],
  ['the second', { ...deleted, isDeleted: true }, done, [null, 0, true]],
  ['more rows are left', { ...deleted, attempts: 4 }, { ...done, isDone: false }, [0, 0, false]],
  ['a wait for a platform', deleted, { ...done, isDone: false, note: 'later' }, [2_000, 1, false]],
  ['no answer', { ...deleted, attempts: 2 }, { kind: 'failed' as const, reason: 'away' }, [8_000, 3, false]],
])('%s', (_, known, reported, [dueInMs, attempts, isDeleted]) => {
  expect(nextReport(known, reported)).toMatchObject({ dueInMs, attempts, isDeleted });
});

it('never waits longer than five minutes', () => {
  expect([1, 5, 9, 1_000].map(retryPauseMs)).toEqual([2_000, 32_000, 300_000, 300_000]);
});
