import { describe, expect, it } from 'vitest';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { figureOf, ratioOf } from './figures.ts';

describe('figures', () => {
  it('say median, least and most of the rounds', () => {
    expect(figureOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, rounds: [3, 1, 2] });
    expect(figureOf([4, 1, 2, 3]).median).toBe(2.5);
  });

  it('are compared within each round', () => {
    expect(ratioOf(figureOf([1, 4]), figureOf([2, 4])).rounds).toEqual([0.5, 1]);
  });

  it('p99 of a hundred values is the 99th', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentileOf(values, 0.99)).toBe(99);
    expect(percentileOf([7], 0.99)).toBe(7);
  });
});
