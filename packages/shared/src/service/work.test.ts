import { expect, it } from 'vitest';
import { prune } from './work.ts';

it('old rows are deleted until a batch is not full, and none while the clock of the database has jumped', async () => {
  const left = [1_000, 7];
  const { work, needsSteadyClock } = prune('prune-old', async () => left.shift() ?? 0);
  expect([await work(), await work(), left]).toEqual([true, false, []]);
  expect(needsSteadyClock).toBe(true);
});
