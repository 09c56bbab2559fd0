import { seedRandom } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { contrastOf, inkOn } from './palette.ts';

const random = seedRandom('palette', 'colours');
const hexOf = (bytes: readonly number[]) =>
  `#${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
const anyColor = () => hexOf([0, 0, 0].map(() => random.integer(0, 255)));
const greys = Array.from({ length: 256 }, (_, grey) => hexOf([grey, grey, grey]));

describe('inkOn', () => {
  it('has a contrast of 4.5 on every grey and on any colour', () => {
    const colors = [...greys, '#e03535', ...Array.from({ length: 4_000 }, anyColor)];
    expect(colors.filter(color => contrastOf(inkOn(color), color) < 4.5)).toEqual([]);
  });
});
