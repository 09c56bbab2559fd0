import { describe, expect, it } from 'vitest';
import { readUsage } from './instagram-usage.ts';

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
