import { describe, expect, it } from 'vitest';
import { createGatherer } from './gather.ts';

describe('createGatherer', () => {
  it('takes the calls of one turn together, and those that arrive in the meantime into the next batch', async () => {
    const batches: number[][] = [];
    const release: (() => void)[] = [];
    const add = createGatherer(async (items: readonly number[]) => {
      batches.push([...items]);
      await new Promise<void>(resolve => release.push(resolve));
      return items.map(item => item * 10);
    }, 3);
    const first = [add(1), add(2)];
    await new Promise(resolve => setImmediate(resolve));
    await Promise.resolve();
    const later = [add(3), add(4), add(5), add(6)];
    expect(batches).toEqual([[1, 2]]);
    release.shift()?.();
    expect(await Promise.all(first)).toEqual([10, 20]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    release.shift()?.();
    expect(await Promise.all(later.slice(0, 3))).toEqual([30, 40, 50]);
    release.shift()?.();
    expect(await later[3]).toBe(60);
    const again = add(7);
    await new Promise(resolve => setImmediate(resolve));
    release.shift()?.();
    expect(await again).toBe(70);
  });

  it('tries each alone when a batch fails, and fails only the bad one', async () => {
    const calls: number[][] = [];
    const add = createGatherer(async (items: readonly number[]) => {
      calls.push([...items]);
      if (items.includes(2)) throw new Error('two is bad');
      return items;
    }, 10);
    const settled = await Promise.allSettled([add(1), add(2), add(3)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(calls).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('fails all at once with an error that is everybody’s', async () => {
    let calls = 0;
    const away = new Error('away');
    const add = createGatherer(
      async () => {
        calls += 1;
        throw away;
      },
      10,
      error => error === away,
    );
    const settled = await Promise.allSettled([add(1), add(2)]);
    expect(settled.every(one => one.status === 'rejected' && one.reason === away)).toBe(true);
    expect(calls).toBe(1);
  });
});
