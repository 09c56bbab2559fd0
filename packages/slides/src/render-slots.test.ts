import { expect, it, vi } from 'vitest';
import { RenderBusyError, type Slot, withRenderSlot } from './render-slots.ts';

it('draws two decks at once and lets 72 slides wait, however they are spread over decks', async () => {
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const ask = (slides: number) =>
    withRenderSlot('one', slides, () => {
      begun.push(slides);
      return new Promise<void>(resolve => ends.push(resolve));
    });
  const taken = [ask(62), ask(62), ask(62), ask(9), ask(1)];
  await expect(ask(1)).rejects.toBeInstanceOf(RenderBusyError);
  expect(begun).toEqual([62, 62]);

  ends[0]?.();
  await taken[0];
  expect(begun).toEqual([62, 62, 62]);
  taken.push(ask(62));
  await expect(ask(1)).rejects.toBeInstanceOf(RenderBusyError);

  for (let at = 1; at < taken.length; at += 1) {
    ends[at]?.();
    await taken[at];
  }
  expect(begun).toEqual([62, 62, 62, 9, 1, 62]);
});

it('a deck that waited for 4 s is refused, and the slot goes to the next', async () => {
  vi.useFakeTimers();
  try {
    const ends: (() => void)[] = [];
    const ask = () => withRenderSlot('one', 6, () => new Promise<void>(resolve => ends.push(resolve)));
    const drawn = [ask(), ask()];
    const late = ask();
    const refused = expect(late).rejects.toBeInstanceOf(RenderBusyError);
    await vi.advanceTimersByTimeAsync(3_999);
    const next = ask();
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    for (const end of ends) end();
    await Promise.all(drawn);
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(3);
    ends[2]?.();
    await next;
  } finally {
    vi.useRealTimers();
  }
});

/** Decks whose slides a test draws one by one. */
function createDecks() {
  const order: string[] = [];
  const draw = (name: string, slides: number) => {
    const [owner = ''] = name.split(' ');
    return withRenderSlot(owner, slides, async (slot: Slot) => {
      for (let at = 0; at < slides; at += 1) {
        if (at > 0) await slot.yield();
        order.push(name);
        await Promise.resolve();
      }
    });
  };
  return { order, draw };
}

it('owners take turns: a deck does not wait for all that another owner asked for before', async () => {
  const { order, draw } = createDecks();
  const decks = ['a 1', 'a 2', 'a 3', 'a 4', 'b 1', 'a 5', 'c 1'].map(name => draw(name, 6));
  await Promise.all(decks);
  const ends = [...new Set(order.toReversed())].toReversed();
  expect(ends.indexOf('b 1')).toBeLessThan(3);
  expect(ends.indexOf('c 1')).toBeLessThan(4);
});

it('an owner who draws nothing gets a slot after the next slide of one who has both', async () => {
  const { order, draw } = createDecks();
  const decks = [draw('a 1', 62), draw('a 2', 62), draw('b 1', 6)];
  await decks[2];
  // The two of "a" draw a slide each, then one of them waits until "b" has ended.
  expect(order.lastIndexOf('b 1')).toBeLessThan(20);
  await Promise.all(decks);
  expect(order).toHaveLength(130);
});

it('a deck that lets others in goes on before those who came later, however many come', async () => {
  const { order, draw } = createDecks();
  const decks = [draw('a 1', 12), draw('b 1', 12)];
  const come = (nth: number): void => {
    if (nth > 40) return;
    const drawn = withRenderSlot(`late${nth}`, 6, async () => {
      come(nth + 3);
      await Promise.resolve();
      order.push(`late${nth}`);
    });
    decks.push(drawn);
  };
  for (const nth of [1, 2, 3]) come(nth);
  while (decks.length > 0) await decks.pop();
  expect(order.lastIndexOf('a 1')).toBeLessThan(order.indexOf('late10'));
});

it('alone, an owner draws two decks at once without a pause', async () => {
  const { order, draw } = createDecks();
  await Promise.all([draw('a 1', 20), draw('a 2', 20), draw('a 3', 20)]);
  expect(order.slice(0, 40).every(name => name !== 'a 3')).toBe(true);
});

it('a full queue refuses the newest deck of the owner who fills it', async () => {
  const ends: (() => void)[] = [];
  const ask = (owner: string, slides: number) =>
    withRenderSlot(owner, slides, () => new Promise<void>(resolve => ends.push(resolve)));
  const taken = [ask('a', 6), ask('a', 6), ask('a', 30), ask('a', 42)];
  const late = ask('b', 6);
  await expect(taken[3]).rejects.toBeInstanceOf(RenderBusyError);
  await expect(ask('b', 62)).rejects.toBeInstanceOf(RenderBusyError);
  for (let at = 0; at < 4; at += 1) {
    await vi.waitFor(() => ends[at]!());
  }
  await Promise.all([...taken.slice(0, 3), late]);
});
