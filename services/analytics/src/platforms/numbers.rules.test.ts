import { describe, expect, it } from 'vitest';
import { readCount, readTime } from './numbers.rules.ts';

describe('readCount', () => {
  it.each([
    ['0', 0],
    ['9007199254740991', 9_007_199_254_740_991],
    [12, 12],
  ])('reads %j', (value, count) => {
    expect(readCount(value)).toBe(count);
  });

  it.each([
    undefined,
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    '9007199254740993',
    '18446744073709551615',
    -1,
    1.5,
    {},
  ])('is null for %j', value => {
    expect(readCount(value)).toBeNull();
  });
});

describe('readTime', () => {
  it.each([
    ['2026-11-01T18:00:00Z', '2026-11-01T18:00:00.000Z'],
    ['2026-11-01T18:00:00+0000', '2026-11-01T18:00:00.000Z'],
    ['2026-11-01T18:00:00-0730', '2026-11-02T01:30:00.000Z'],
  ])('reads %s', (text, time) => {
    expect(readTime(text)?.toISOString()).toBe(time);
  });

  it.each([undefined, 5, '', 'yesterday'])('is null for %j', value => {
    expect(readTime(value)).toBeNull();
  });
});
