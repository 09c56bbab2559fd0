import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('runs work under one key in order, and under other keys concurrently', async () => {
  const inTurn = createTurns();
  const told: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (key: string, name: string) =>
    inTurn(key, async () => {
      told.push(`${name} begins`);
      await new Promise<void>(resolve => ends.set(name, resolve));
      return name;
    });
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1')];
  await Promise.resolve();
  expect(told).toEqual(['a1 begins', 'b1 begins']);
  ends.get('b1')?.();
  ends.get('a1')?.();
  expect(await all[0]).toBe('a1');
  expect(told).toEqual(['a1 begins', 'b1 begins', 'a2 begins']);
  ends.get('a2')?.();
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
});

it('a turn that fails fails alone', async () => {
  const inTurn = createTurns();
  const failed = inTurn('a', () => Promise.reject(new Error('no')));
  const next = inTurn('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
