import { afterAll, describe, expect, it } from 'vitest';
import type { Slide } from '../rules/slides.ts';
import { type DeckToRender, renderDeck } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import { closeRenderThread, renderOnThread } from './render-thread.ts';
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
      deck('content_2', { archetype: 'authority' }),
      deck('content_3', { language: 'ja', slides: [{ kind: 'cover', text: '7つの小さな習慣' }] }),
      deck('content_4', { language: 'ar', slides: [{ kind: 'cover', text: 'خطوة صغيرة كل يوم' }] }),
    ];
    const drawn = await Promise.all(decks.map(renderOnThread));
    for (const [i, given] of decks.entries()) {
      const here = await renderDeck(given);
      expect(drawn[i]!.map(slide => slide.bytes.toString('hex'))).toEqual(
        here.map(slide => slide.bytes.toString('hex')),
      );
      expect(drawn[i]!.map(({ bytes: _, ...rest }) => rest)).toEqual(
        here.map(({ bytes: _, ...rest }) => rest),
      );
    }
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

  it('refuses what would wait too long: 2 are drawn and 12 wait', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        renderOnThread(deck(`content_${i}`, { slides: slides.slice(0, 1) })),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(RenderBusyError);
  });

  it('fails what it was drawing when the thread ends, and draws the next on a new one', async () => {
    const lost = [renderOnThread(deck('content_1')), renderOnThread(deck('content_2'))];
    const outcomes = Promise.allSettled(lost);
    await closeRenderThread();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await renderOnThread(deck('content_1'))).toHaveLength(4);
  });
});
