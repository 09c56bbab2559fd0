import { describe, expect, it } from 'vitest';
import { historyOf, sumCounts } from './history.rules.ts';

const snapshot = (postId: string, day: string, views: number | null) => ({
  postId,
  day,
  views,
  likes: 1,
  comments: null,
});

describe('historyOf', () => {
  it('is empty before anything was collected', () => {
    expect(historyOf([])).toEqual([]);
  });

  it('carries the last numbers of a post over a day on which it was not measured', () => {
    const history = historyOf([
      snapshot('a', '2026-11-19', 10),
      snapshot('b', '2026-11-19', 5),
      snapshot('a', '2026-11-20', 12),
    ]);
    expect(history).toEqual([
      { day: '2026-11-19', views: 15, likes: 2, comments: 0 },
      { day: '2026-11-20', views: 17, likes: 2, comments: 0 },
    ]);
  });
});

describe('sumCounts', () => {
  it('counts a hidden number as zero', () => {
    expect(sumCounts([snapshot('a', '2026-11-19', null)])).toEqual({ views: 0, likes: 1, comments: 0 });
  });
});
