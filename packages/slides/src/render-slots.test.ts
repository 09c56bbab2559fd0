import { expect, it, vi } from 'vitest';
import { RenderBusyError, withRenderSlot } from './render-slots.ts';

it('draws two decks at once and lets 72 slides wait, however they are spread over decks', async () => {
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const ask = (slides: number) =>
    withRenderSlot(slides, () => {
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
    const ask = () => withRenderSlot(6, () => new Promise<void>(resolve => ends.push(resolve)));
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
