import { describe, expect, it } from 'vitest';
import { effects, judgeAttack } from './judge-attack.ts';

const judge = (outcomes: Record<string, number>) =>
  judgeAttack('moved webhooks', new Map(Object.entries(outcomes)));

describe('an attack', () => {
  it('counts what had its effect, not what a bound held back or a lost connection', () => {
    const outcomes = { [effects['moved webhooks']]: 12, '429': 300, '503': 4, '504': 1, TypeError: 2 };
    expect(judge(outcomes)).toEqual({ effect: 12, complaints: [] });
  });

  it.each(['400', '401', '404', '200', '500'])('that is answered %s is none', outcome => {
    const { effect, complaints } = judge({ [outcome]: 500 });
    expect([effect, complaints]).toEqual([0, [expect.stringContaining(`500 were answered ${outcome},`)]]);
  });
});
