import type { Slide } from '@hookline/deck';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import { designSystems } from '../designs/choose-design.ts';
import { textBox } from '../designs/design-system.ts';
import { layOutDeck } from './lay-out-deck.ts';
import { prepareSlide, type SlideLayout } from './lay-out-slide.ts';

type Ctx = Parameters<typeof layOutDeck>[0];
let ctx: Ctx;
beforeAll(async () => {
  const { createCanvas } = await loadCanvas();
  ctx = createCanvas(8, 8).getContext('2d');
});

const designs = designSystems.map(({ make, hues }) => make(hues[0]!, 0));

async function layOut(design: (typeof designs)[number], language: string, ...slides: Slide[]) {
  const prepared = await Promise.all(slides.map((slide, i) => prepareSlide(slide, i + 1, design, language)));
  return layOutDeck(ctx, prepared, design, language);
}
const body = (text: string): Slide => ({ kind: 'body', text });
const sizeOf = ({ blocks }: SlideLayout) => blocks[0]!.size;

describe.each(designs.map(design => [design.name, design] as const))('layOutDeck, %s', (_, design) => {
  it('sets a hook of 80 characters in 84 px or more, whatever its words, and one of 160 in 64 or more', async () => {
    const hooks: [string, string][] = [
      ['en', 'What happens when you photograph each frame and compare it with the last month'],
      ['de', 'Für Patchworkfamilien: Von allem auf einmal zu dem Teil, der am Donnerstag zählt'],
      ['de', 'Lebensmittelverschwendung'],
      ['es', 'Responsabilidades y entrenamientos que sobreviven a una mala semana de octubre'],
    ];
    for (const [language, text] of hooks) {
      const [layout] = await layOut(design, language, { kind: 'cover', text });
      expect([text, sizeOf(layout!) >= 84, sizeOf(layout!)]).toEqual([text, true, sizeOf(layout!)]);
    }
    const [long] = await layOut(design, 'en', {
      kind: 'cover',
      text: 'The quiet way a whole household stopped arguing about who bought the milk, and why the list on the fridge never worked for any of us until the second winter',
    });
    expect(sizeOf(long!)).toBeGreaterThanOrEqual(64);
  });

  it('sets a short text larger than a long one', async () => {
    const [short] = await layOut(design, 'en', { kind: 'closing', text: 'Try it.' });
    const [long] = await layOut(design, 'en', {
      kind: 'closing',
      text: 'If the wall is a blur by Thursday, Betaline has a photo of it for you, with the date.',
    });
    expect(sizeOf(short!)).toBeGreaterThan(sizeOf(long!));
  });

  it('begins all body slides at one height or centres each, and ends them in the box', async () => {
    const layouts = await layOut(
      design,
      'en',
      body('Stop early.'),
      body('Write one line before bed, not a page.'),
      body(
        'Pick three. Tick them off each evening and leave the other ten for a month that has more room in it.',
      ),
    );
    const tops = new Set(layouts.map(({ top }) => Math.round(top)));
    expect(tops.size).toBe(design.area('body').place === 'middle' ? 3 : 1);
    for (const { top, height } of layouts) {
      expect(top).toBeGreaterThanOrEqual(textBox.y);
      expect(top + height).toBeLessThanOrEqual(textBox.y + textBox.height);
    }
  });
});
