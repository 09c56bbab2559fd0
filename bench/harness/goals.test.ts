import { describe, expect, it } from 'vitest';
import { judgeGoals } from './goals.ts';

const goal = { id: 'g', bench: 'x', text: 'fast', value: 'ratio.median' };

describe('goals', () => {
  it('are met at the bound and not met beyond it', () => {
    const verdictOf = (median: number) =>
      judgeGoals('x', { ratio: { median } }, [{ ...goal, atMost: 0.75 }])[0]?.verdict;
    expect(verdictOf(0.75)).toBe('met');
    expect(verdictOf(0.76)).toBe('not met');
    expect(judgeGoals('x', { ratio: { median: 1.2 } }, [{ ...goal, atLeast: 1.3 }])[0]?.verdict).toBe(
      'not met',
    );
  });

  it('that nobody measured are an error, or said to be so when only a long run measures them', () => {
    expect(() => judgeGoals('x', {}, [{ ...goal, atMost: 1 }])).toThrow(/not measured/);
    expect(judgeGoals('x', {}, [{ ...goal, atMost: 1, longOnly: true }])[0]?.verdict).toBe('not measured');
  });
});
