import { expect, it } from 'vitest';
import { barsOf, sizeFor } from './bars.ts';

it('views are summed by the week of the post, a week without one included', () => {
  const rows = [
    { day: '2026-11-09', views: 5 },
    { day: '2026-11-15', views: 7 },
    { day: '2026-11-24', views: 1 },
  ];
  expect(barsOf(rows, { from: '2026-11-10', to: '2026-11-24', size: 'week' })).toEqual([
    { from: '2026-11-09', value: 12 },
    { from: '2026-11-16', value: 0 },
    { from: '2026-11-23', value: 1 },
  ]);
});

it.each([7, 30, 90, 365])('%i days are at most 14 bars', days => {
  const to = Date.parse('2026-11-29');
  const from = new Date(to - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  expect(barsOf([], { from, to: '2026-11-29', size: sizeFor(days) }).length).toBeLessThanOrEqual(14);
});
