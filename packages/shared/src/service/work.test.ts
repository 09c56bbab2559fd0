import { expect, it } from 'vitest';
import { prune } from './work.ts';

it('old rows are deleted until a batch is not full, and none while the clock of the database has jumped', async () => {
  let isSteady = false;
  const left = [1_000, 7];
  const { work } = prune(
    'prune-old',
    () => isSteady,
    async () => left.shift() ?? 0,
  );
  expect([await work(), left]).toEqual([false, [1_000, 7]]);
  isSteady = true;
  expect([await work(), await work(), left]).toEqual([true, false, []]);
});
