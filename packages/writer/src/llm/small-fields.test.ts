import { expect, it } from 'vitest';
import { extractMaterial } from '../listing/material.ts';
import { softLineOf } from './small-fields.ts';

it('closes with a line of the listing without its label', () => {
  const description =
    'Beds on paper.\n\n• PLANNER: To scale on the iPad, handy on the phone\n• Rows for beginners';
  const app = { name: 'Bedmate', description, category: null, country: 'us', store: 'apple' as const };
  expect(softLineOf(extractMaterial(app))).toEqual([
    'Bedmate: To scale on the iPad, handy on the phone',
    'Bedmate: Rows for beginners',
  ]);
});
