import { describe, expect, it } from 'vitest';
import { readUsage } from './instagram-usage.ts';
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

describe('readUsage', () => {
  it('takes the highest value of the headers', () => {
    const usage = { call_count: 28, total_cputime: 91, total_time: 3, estimated_time_to_regain_access: 7 };
    expect(
      readUsage({
        'x-business-use-case-usage': JSON.stringify({ 17: [{ ...usage, total_cputime: 4 }, usage] }),
        'x-app-usage': '{"call_count":40,"total_time":41,"total_cputime":2}',
      }),
    ).toEqual({ percent: 91, appPercent: 41, regainMinutes: 7 });
  });

  it.each([
    {},
    { 'x-app-usage': 'none' },
    { 'x-business-use-case-usage': '{"1":[null,"x",{"call_count":"9"}]}' },
  ])('is nothing for %j', headers => {
    expect(readUsage(headers)).toEqual({ percent: 0, appPercent: 0, regainMinutes: 0 });
  });
});
