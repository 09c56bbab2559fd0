import { describe, expect, it, vi } from 'vitest';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

function open(slots = 4, slowMax = 2, slowShare = 1) {
  const queue = createFairQueue({ slots: () => slots, slowMax, slowShare });
  const order: string[] = [];
  /** Enters, and returns how it ends. */
  const ask = (workspace: string, isSlow = false) => {
    const entered = queue.enter({ workspace, isSlow });
    if (entered === null) order.push(workspace);
    else entered.then(() => order.push(workspace)).catch(() => {});
    return { entered, leave: () => queue.leave({ workspace, isSlow }) };
  };
  return { queue, order, ask };
}

const turn = () => new Promise(resolve => setImmediate(resolve));

describe('a fair queue', () => {
  it('gives one workspace every slot when it is alone, without a wait', () => {
    const { order, ask } = open();
    for (let at = 0; at < 6; at += 1) ask('a');
    expect(order).toEqual(['a', 'a', 'a', 'a']);
  });

  it('serves workspaces in turn when slots become free', async () => {
    const { order, ask } = open();
    const inFlight = Array.from({ length: 4 }, () => ask('a'));
    for (const workspace of ['a', 'a', 'a', 'b', 'b', 'c']) ask(workspace);
    for (const { leave } of inFlight) leave();
    await turn();
    expect(order.slice(4).toSorted()).toEqual(['a', 'b', 'b', 'c']);
    expect(order.slice(4, 7).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('has few slow requests of a workspace in flight; its others and those of others pass', async () => {
    const { order, ask } = open();
    const slow = Array.from({ length: 5 }, () => ask('a', true));
    ask('a');
    ask('b', true);
    expect(order).toEqual(['a', 'a', 'a', 'b']);
    slow[0]?.leave();
    await turn();
    expect(order).toEqual(['a', 'a', 'a', 'b', 'a']);
  });

  it('slow requests of all workspaces together leave a share of the slots to the others', async () => {
    const { order, ask } = open(4, 2, 0.75);
    const slow = ['a', 'b', 'c', 'd'].map(workspace => ask(workspace, true));
    ask('e');
    expect(order).toEqual(['a', 'b', 'c', 'e']);
    slow[0]?.leave();
    await turn();
    expect(order).toEqual(['a', 'b', 'c', 'e', 'd']);
  });

  it('refuses the 257th slow request that waits, and nobody else', () => {
    const { ask } = open(400);
    for (let at = 0; at < 2 + 256; at += 1) ask('a', true);
    expect(() => ask('a', true)).toThrow(QueueFullError);
    expect(ask('b', true).entered).toBeNull();
  });

  it('full, refuses the newest of the workspace that fills it', async () => {
    const { ask } = open(1);
    ask('a');
    const waiting = Array.from({ length: 1_024 }, () => ask('a').entered);
    expect(() => ask('a')).toThrow(QueueFullError);
    const other = ask('b');
    await expect(waiting.at(-1)).rejects.toBeInstanceOf(QueueFullError);
    expect(other.entered).toBeInstanceOf(Promise);
  });

  it('refuses what waited for 10 s, and lets go of what its client left', async () => {
    vi.useFakeTimers();
    try {
      const { queue, order, ask } = open(1);
      const first = ask('a');
      let hangUp = (): void => {};
      const gone = queue.enter({
        workspace: 'b',
        isSlow: false,
        onGone: callback => {
          hangUp = callback;
        },
      });
      const late = ask('c');
      const refused = expect(late.entered).rejects.toBeInstanceOf(QueueFullError);
      hangUp();
      await expect(gone).rejects.toBeInstanceOf(QueueFullError);
      await vi.advanceTimersByTimeAsync(10_000);
      await refused;
      first.leave();
      expect(ask('d').entered).toBeNull();
      expect(order).toEqual(['a', 'd']);
    } finally {
      vi.useRealTimers();
    }
  });
});

it('a newcomer goes before whoever was served last, and behind who waits longer', async () => {
  const queue = createFairQueue({ slots: () => 1 });
  const order: string[] = [];
  const enter = (workspace: string) => {
    const waits = queue.enter({ workspace });
    if (waits) void waits.then(() => order.push(workspace));
  };
  const serve = async (workspace: string) => {
    queue.leave({ workspace });
    await Promise.resolve();
  };
  for (const workspace of ['a', 'a', 'a', 'b']) enter(workspace);
  await serve('a');
  enter('c');
  await serve('b');
  await serve('a');
  // Nobody is left waiting, to be refused during another file of this worker.
  await serve('c');
  expect(order).toEqual(['b', 'a', 'c', 'a']);
});
