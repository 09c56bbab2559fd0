import { describe, expect, it } from 'vitest';
import { problemOf } from './graph-problem.rules.ts';

describe('problemOf', () => {
  it.each([
    [190, 463, 'token'],
    [190, null, 'token'],
    [200, null, 'token'],
    [299, null, 'token'],
    [100, 33, 'missing'],
    [100, null, 'unsupported'],
    [100, 2_108_006, 'before_conversion'],
    [4, 2_108_006, 'before_conversion'],
    [10, null, 'token'],
    [4, null, 'app_limited'],
    [17, null, 'limited'],
    [32, null, 'limited'],
    [613, null, 'limited'],
    [80_002, null, 'limited'],
    [1, null, 'transient'],
    [2, null, 'transient'],
    [99_999, null, 'transient'],
  ])('code %i, subcode %s is %s', (code, subcode, problem) => {
    expect(problemOf(code, subcode, false, '')).toBe(problem);
  });

  it('code 10 that speaks of viewers is no missing permission', () => {
    const message = 'Not enough viewers for the media to show insights';
    expect(problemOf(10, null, false, message)).toBe('no_viewers');
  });

  it('a transient error of code 100 is worth another try', () => {
    expect(problemOf(100, null, true, '')).toBe('transient');
  });
});
