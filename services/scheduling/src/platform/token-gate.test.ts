import { expect, it } from 'vitest';
import type { Answer } from './carrier.rules.ts';
import { createTokenGate } from './token-gate.ts';

it('the gate lets so many call at once, the others when a turn is free, and none after 2 s without one', async () => {
  const ask = createTokenGate(2);
  const ends: ((answer: Answer<string>) => void)[] = [];
  const call = () => ask(() => new Promise<Answer<string>>(resolve => void ends.push(resolve)));
  const answers = [call(), call(), call(), call()];
  await expect.poll(() => ends.length).toBe(2);
  ends[0]?.({ kind: 'ok', value: 'a' });
  await expect.poll(() => ends.length).toBe(3);
  expect(await answers[3]).toEqual({ kind: 'busy' });
  ends[1]?.({ kind: 'ok', value: 'b' });
  ends[2]?.({ kind: 'ok', value: 'c' });
  expect(await Promise.all(answers.slice(0, 3))).toEqual(
    ['a', 'b', 'c'].map(value => ({ kind: 'ok', value })),
  );
});
