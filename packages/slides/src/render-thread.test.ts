import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Slide } from '@hookline/deck';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { DeckToRender } from './deck-to-render.ts';
import { renderDeck } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import { closeRenderThread, RenderThreadError, renderOnThread } from './render-thread.ts';
import { loadSharp } from './sharp.ts';
import { SlideTextError } from './slide-text-error.ts';

const slides: Slide[] = [
  { kind: 'cover', text: '3 small rules for late starts' },
  { kind: 'body', text: 'Put the kettle on before any message.' },
  { kind: 'body', text: 'Write one line on paper tonight.' },
  { kind: 'closing', text: 'In Pebblo you can rest.' },
];
const deck = (seed: string, more: Partial<DeckToRender> = {}): DeckToRender => ({ slides, seed, ...more });

afterAll(closeRenderThread);

/** Milliseconds of CPU that this thread alone spends on `work`. */
async function ownCpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

describe('renderOnThread', () => {
  it('draws the same bytes as on this thread, whatever the script', async () => {
    const decks = [
      deck('content_1'),
      deck('content_2', { app: { name: 'Pebblo', store: 'App Store' } }),
      deck('content_3', { language: 'ja', slides: [{ kind: 'cover', text: '7つの小さな習慣' }] }),
      deck('content_4', { language: 'ar', slides: [{ kind: 'cover', text: 'خطوة صغيرة كل يوم' }] }),
    ];
    for (const given of decks) {
      const drawn = await renderOnThread(given);
      const here = await renderDeck(given);
      expect(drawn.map(slide => slide.bytes.toString('hex'))).toEqual(
        here.map(slide => slide.bytes.toString('hex')),
      );
      expect(drawn.map(({ bytes: _, ...rest }) => rest)).toEqual(here.map(({ bytes: _, ...rest }) => rest));
    }
  });

  it('takes the memory of the pictures along', async () => {
    const sharp = await loadSharp();
    const made = sharp({ create: { width: 90, height: 160, channels: 3, background: '#336699' } });
    const given = Buffer.alloc(9_000).subarray(0, (await made.jpeg().toBuffer()).length);
    given.set(await made.jpeg().toBuffer());
    // A file that was read has memory of its own; this one shares its buffer with others.
    const own = new Uint8Array(given);
    const photoCard = deck('content_9', { template: 'photo-card', pictures: [own, given] });
    const here = await renderDeck({ ...photoCard, pictures: [own.slice(), given] });
    const away = await renderOnThread(photoCard);
    expect(away.map(({ bytes }, i) => bytes.equals(here[i]!.bytes))).toEqual([true, true, true, true]);
    expect([own.byteLength, given.byteLength > 0]).toEqual([0, true]);
  });

  it('reads files only of decks that have a slot; one that is refused reads none', async () => {
    const sharp = await loadSharp();
    const photo = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
    let reads = 0;
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const ask = (given: Slide[]) =>
      renderOnThread({
        slides: given,
        seed: 'a',
        template: 'photo-card',
        readFiles: async () => {
          reads += 1;
          await isFree;
          return { pictures: [new Uint8Array(photo)], logo: null };
        },
      });
    const cover = [slides[0]!];
    const drawn = Promise.all([ask(cover), ask(cover)]);
    // Waits: 72 slides are as many as may.
    const unwritable: Slide = { kind: 'body', text: 'ሰላም ለዓለም' };
    const late = expect(ask([unwritable, ...Array.from({ length: 71 }, () => slides[1]!)])).rejects.toThrow();
    await expect(ask(cover)).rejects.toBeInstanceOf(RenderBusyError);
    await vi.waitFor(() => expect(reads).toBe(2), 60_000);
    free();
    expect((await drawn).map(deck => deck.length)).toEqual([1, 1]);
    await late;
    expect(reads).toBe(2);
  });

  it('fails with what reading its files threw, and draws the next', async () => {
    const cause = new Error('the files are gone');
    const readFiles = () => Promise.reject(cause);
    await expect(renderOnThread(deck('content_1', { template: 'photo-card', readFiles }))).rejects.toBe(
      cause,
    );
    expect(await renderOnThread(deck('content_1', { slides: [slides[0]!] }))).toHaveLength(1);
  });

  it('leaves this thread to others: under a quarter of the CPU that drawing here takes', async () => {
    const seeds = ['content_5', 'content_6', 'content_7', 'content_8'];
    const here = await ownCpuMs(() => Promise.all(seeds.map(seed => renderDeck(deck(seed)))));
    const away = await ownCpuMs(() => Promise.all(seeds.map(seed => renderOnThread(deck(seed)))));
    expect(away).toBeLessThan(here / 4);
  });

  it('brings errors home as what they are', async () => {
    const refused = renderOnThread(
      deck('content_1', { slides: [slides[0]!, { kind: 'body', text: 'ሰላም ለዓለም' }] }),
    );
    await expect(refused).rejects.toBeInstanceOf(SlideTextError);
    await expect(refused).rejects.toMatchObject({ slide: 2, reason: 'unsupported_characters' });
  });

  it('refuses what would wait too long, as busy', async () => {
    const sizes = [1, 1, 73];
    const outcomes = await Promise.allSettled(
      sizes.map((size, i) =>
        renderOnThread(deck(`content_${i}`, { slides: Array.from({ length: size }, () => slides[1]!) })),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(RenderBusyError) });
  });

  it('draws a deck that takes longer than 15 s, as long as its slides come', async () => {
    await renderOnThread(deck('content_1', { slides: [slides[0]!] }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // On this clock, which runs 20 times faster, the deck takes 25 s and more.
    const clock = setInterval(() => vi.advanceTimersByTime(200), 10);
    try {
      const long = Array.from({ length: 62 }, () => slides[1]!);
      expect(await renderOnThread(deck('content_1', { slides: long }))).toHaveLength(62);
    } finally {
      clearInterval(clock);
      vi.useRealTimers();
    }
  });

  it('fails what it was drawing when the thread ends, and draws the next on a new one', async () => {
    const lost = [renderOnThread(deck('content_1')), renderOnThread(deck('content_2'))];
    const outcomes = Promise.allSettled(lost);
    await closeRenderThread();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(RenderThreadError) });
    }
    expect(await renderOnThread(deck('content_1'))).toHaveLength(4);
  });

  describe('without a deck for 20 s', () => {
    /** Draws one deck on a new thread and lets 20 s pass. */
    async function drawAndRest(): Promise<{ hasEnded: Promise<unknown> }> {
      await closeRenderThread();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const started = once(process, 'worker') as Promise<[Worker]>;
        await renderOnThread(deck('content_1'));
        const [worker] = await started;
        const hasEnded = once(worker, 'exit');
        vi.advanceTimersByTime(20_000);
        return { hasEnded };
      } finally {
        vi.useRealTimers();
      }
    }

    it('ends the thread, and draws the next deck on a new one', async () => {
      const { hasEnded } = await drawAndRest();
      await hasEnded;
      expect(await renderOnThread(deck('content_1'))).toHaveLength(4);
    });

    it('draws a deck that comes while the thread goes to rest', async () => {
      await drawAndRest();
      expect(await renderOnThread(deck('content_2'))).toHaveLength(4);
    });
  });
});
