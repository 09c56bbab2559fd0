import { describe, expect, it } from 'vitest';
import { type CountedPost, countedDay, rollupChanges } from './rollup.rules.ts';

const post = (change: Partial<CountedPost> = {}): CountedPost => ({
  accountId: 'a',
  platform: 'youtube',
  day: '2026-11-20',
  numbers: { views: 10, likes: 2, comments: null },
  ...change,
});

describe('countedDay', () => {
  it('is the UTC day of publication, of registration where that is not known', () => {
    const created = new Date('2026-11-21T10:00:00Z');
    expect(countedDay(new Date('2026-11-20T23:59:59.999Z'), created)).toBe('2026-11-20');
    expect(countedDay(null, created)).toBe('2026-11-21');
  });
});

describe('rollupChanges', () => {
  it('counts a new post once, with its numbers', () => {
    expect(rollupChanges([{ before: null, after: post() }])).toEqual([
      { accountId: 'a', platform: 'youtube', day: '2026-11-20', posts: 1, views: 10, likes: 2, comments: 0 },
    ]);
  });

  it('adds the difference; a number that is hidden now goes, and may fall', () => {
    const after = post({ numbers: { views: 7, likes: null, comments: 3 } });
    expect(rollupChanges([{ before: post(), after }])).toMatchObject([
      { posts: 0, views: -3, likes: -2, comments: 3 },
    ]);
  });

  it('changes nothing where nothing changed', () => {
    expect(rollupChanges([{ before: post(), after: post() }])).toEqual([]);
  });

  it('moves a post to the day that the platform reports', () => {
    const changes = rollupChanges([{ before: post(), after: post({ day: '2026-10-01' }) }]);
    expect(changes).toMatchObject([
      { day: '2026-10-01', posts: 1, views: 10 },
      { day: '2026-11-20', posts: -1, views: -10 },
    ]);
  });

  it('makes one change per key, always in the same order', () => {
    const moves = ['b', 'a', 'b'].map(accountId => ({ before: null, after: post({ accountId }) }));
    expect(rollupChanges(moves).map(({ accountId, posts }) => [accountId, posts])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});
