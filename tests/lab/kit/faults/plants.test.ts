import { expect, it } from 'vitest';
import { plant } from '../product/planted.ts';
import { fenceOff } from './plants.ts';

it('the fence can be planted in the present code', () => {
  const planted = plant('scheduling', fenceOff);
  expect(planted.entry).toMatch(/src\/main\.ts$/);
  planted.remove();
});
