import type { Slide } from '@hookline/deck';
import {
  type DeckToRender,
  loadCanvas,
  looks,
  type PlannedDeck,
  paintSlide,
  planSlides,
  type RenderedSlide,
  renderDeck,
  slideHeight,
  slideWidth,
} from '@hookline/slides/inspect';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInk } from './read-ink.ts';

const deckOf = (hook: string, ...bodies: string[]): Slide[] => [
  { kind: 'cover', text: hook },
  ...bodies.map((text): Slide => ({ kind: 'body', text })),
  { kind: 'closing', text: 'Pebblo was made for weeks like that.' },
];

async function drawn(deck: DeckToRender): Promise<{ planned: PlannedDeck; slides: RenderedSlide[] }> {
  const { createCanvas } = await loadCanvas();
  return { planned: await planSlides(deck, createCanvas(8, 8)), slides: await renderDeck(deck) };
}

/** One seed per look, so that each is drawn exactly once. */
async function seedsOfAllLooks(): Promise<Map<string, string>> {
  const { createCanvas } = await loadCanvas();
  const seeds = new Map<string, string>();
  for (let i = 0; seeds.size < Object.keys(looks).length && i < 200; i++) {
    const { design } = await planSlides(
      { slides: deckOf('Two lines'), seed: `look ${i}` },
      createCanvas(8, 8),
    );
    if (!seeds.has(design.name)) seeds.set(design.name, `look ${i}`);
  }
  return seeds;
}

describe('the pixels of the finished JPEG', { timeout: 180_000 }, () => {
  let seeds = new Map<string, string>();
  beforeAll(async () => {
    seeds = await seedsOfAllLooks();
  });

  it('are drawn in every look', () => expect(seeds.size).toBe(Object.keys(looks).length));

  it('show text of a contrast of 4.5 or more, inside its box, on every kind of slide of every look', async () => {
    for (const [name, seed] of seeds) {
      const slides = deckOf(
        '3 habits for a bad Tuesday',
        'Write a line. A whole page is too long for a day like this one.',
        'Donaudampfschifffahrtsgesellschaftskapitän is one word.',
      );
      const { planned, slides: pictures } = await drawn({ slides, seed });
      for (const [i, ink] of (await readInk(planned, pictures)).entries()) {
        const where = `${name}, slide ${i + 1}`;
        expect([where, ink.contrast >= 4.5, ink.contrast]).toEqual([where, true, ink.contrast]);
        expect([where, ink.outsideShare]).toEqual([where, 0]);
        expect([where, ink.inkShare > 0.003]).toEqual([where, true]);
      }
    }
  });

  it.each([
    ['right-to-left', '7 טיפים ל-iPhone (חדש).', 'he'],
    ['a very long text', 'A slide with many small words in it is long. '.repeat(9), 'en'],
    ['a word of 120 letters', `A ${'x'.repeat(120)} word`, 'en'],
    ['Japanese', '毎日5分で続ける3つのこと。忘れそうな時にもう一度。', 'ja'],
  ])('keep %s inside the box', async (_, text, language) => {
    const { planned, slides } = await drawn({ slides: deckOf(text, text), seed: 'look 3', language });
    for (const { outsideShare, contrast } of (await readInk(planned, slides)).slice(0, 2)) {
      expect([outsideShare, contrast >= 4.5]).toEqual([0, true]);
    }
  });

  it('would show low contrast and ink outside: the reader sees them', async () => {
    const deck = { slides: deckOf('Two lines that are here'), seed: 'look 1' };
    const { planned } = await drawn(deck);
    const { createCanvas } = await loadCanvas();
    const canvas = createCanvas(slideWidth, slideHeight);
    const ground = createCanvas(slideWidth, slideHeight);
    const layout = structuredClone(planned.layouts[0]!);
    planned.design.paintBackground(ground.getContext('2d'), 'cover', false);
    const shoot = async (changed: typeof layout) => {
      paintSlide(canvas, ground, planned.design, { layout: changed, paint: () => {} });
      const bytes = await canvas.encode('jpeg', 88);
      const [picture] = await renderDeck({ slides: [deck.slides[0]!], seed: deck.seed });
      return { ...picture!, bytes };
    };
    const outside = { ...layout, textX: layout.textX + 500 };
    const [shifted] = await readInk({ ...planned, layouts: [layout] }, [await shoot(outside)]);
    expect(shifted!.outsideShare).toBeGreaterThan(0.05);
    const pixel = ground.getContext('2d').getImageData(500, 700, 1, 1).data;
    const near = `#${[0, 1, 2]
      .map(c =>
        Math.min(255, Math.max(0, pixel[c]! + (pixel[c]! > 127 ? -60 : 60)))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
    const pale = { ...layout, blocks: layout.blocks.map(block => ({ ...block, color: near })) };
    const [weak] = await readInk({ ...planned, layouts: [layout] }, [await shoot(pale)]);
    expect(weak!.contrast).toBeLessThan(4.5);
  });
});
