import { describe, expect, it } from 'vitest';
import { fillDays, readRange, windowStart } from './days.rules.ts';

const now = new Date('2026-11-22T13:00:00Z');

describe('readRange', () => {
  it.each([
    [{}, { from: '2026-10-24', to: '2026-11-22' }],
    [{ to: '2026-03-01' }, { from: '2026-01-31', to: '2026-03-01' }],
    [{ from: '2026-11-20' }, { from: '2026-11-20', to: '2026-11-22' }],
    [
      { from: '2026-11-20', to: '2026-12-24' },
      { from: '2026-11-20', to: '2026-11-22' },
    ],
    [
      { from: '2025-11-22', to: '2026-11-22' },
      { from: '2025-11-22', to: '2026-11-22' },
    ],
    // Nothing is left of it.
    [{ from: '2026-11-23' }, { from: '2026-11-23', to: '2026-11-22' }],
  ])('%j', (asked, range) => {
    expect(readRange(asked, now)).toEqual(range);
  });

  it.each([
    [{ from: '2026-11-21', to: '2026-11-20' }, 'to must be the day of from or a later one'],
    [{ from: '2025-11-21', to: '2026-11-22' }, 'from must be at most 365 days before to'],
  ])('refuses %j', (asked, message) => {
    expect(() => readRange(asked, now)).toThrow(message);
  });
});

it('fills days without a measurement, and begins with what was before', () => {
  const totals = [
    { day: '2026-10-31', views: 10, likes: 1, comments: 0 },
    { day: '2026-11-02', views: 15, likes: 1, comments: 2 },
  ];
  const published = [
    { day: '2026-10-31', posts: 2 },
    { day: '2026-11-03', posts: 1 },
  ];
  expect(fillDays({ from: '2026-11-01', to: '2026-11-03' }, totals, published)).toEqual([
    { day: '2026-11-01', views: 10, likes: 1, comments: 0, posts: 2 },
    { day: '2026-11-02', views: 15, likes: 1, comments: 2, posts: 2 },
    { day: '2026-11-03', views: 15, likes: 1, comments: 2, posts: 3 },
  ]);
  expect(fillDays({ from: '2026-11-03', to: '2026-11-02' }, [], [])).toEqual([]);
});

describe('windowStart', () => {
  const now = new Date('2026-11-21T23:59:59.999Z');

  it('is the midnight before with one day', () => {
    expect(windowStart(now, 1).toISOString()).toBe('2026-11-21T00:00:00.000Z');
  });

  it('counts the current day as one of thirty', () => {
    expect(windowStart(now, 30).toISOString()).toBe('2026-10-23T00:00:00.000Z');
  });

  it('moves at midnight UTC', () => {
    expect(windowStart(new Date('2026-11-22T00:00:00.000Z'), 1).toISOString()).toBe(
      '2026-11-22T00:00:00.000Z',
    );
  });
});
