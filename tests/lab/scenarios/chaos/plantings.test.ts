import { expect, it } from 'vitest';
import { plant } from '../../kit/product/planted.ts';
import { defects } from './plantings.ts';

it.each(Object.entries(defects))('the defect %s can be planted in the present code', (_, defect) => {
  const planted = plant(defect.service, defect.plantings);
  expect(planted.entry).toMatch(/src\/main\.ts$/);
  planted.remove();
});
