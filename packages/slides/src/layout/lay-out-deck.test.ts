import type { Slide } from '@hookline/deck';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import { colorsOf } from '../designs/choose-look.ts';
import { textBox } from '../designs/design.ts';
import { looks } from '../designs/looks.ts';
import { photoCard } from '../templates/photo-card.ts';
import { forgetReleasedFonts } from './fonts.ts';
import { layOutDeck } from './lay-out-deck.ts';
import { layOutSlide, prepareSlide, type SlideLayout } from './lay-out-slide.ts';

type Ctx = Parameters<typeof layOutDeck>[0];
let ctx: Ctx;
beforeAll(async () => {
  const { createCanvas } = await loadCanvas();
  ctx = createCanvas(8, 8).getContext('2d');
});

const designs = [...Object.values(looks).map(look => look(colorsOf(20, 'strong'))), photoCard('app_1')];

it('leaves no word of a few letters alone on a line of a cover', () => {
  const widthOf = (text: string) =>
    [...text].reduce((sum, letter) => sum + (/[mow]/i.test(letter) ? 80 : 50), 0);
  const measured = { measureText: (text: string) => ({ width: widthOf(text) }) } as unknown as Ctx;
  const type = {
    family: 'x',
    weight: 800,
    color: '#000',
    sizeMax: 150,
    sizeMin: 46,
    lineHeight: 1.2,
    gapAfter: 0,
  };
  const blocks = [{ ...type, role: 'hook' as const, text: 'Who took my parcel in?' }];
  const slide = { index: 1, kind: 'cover' as const, position: undefined, isRtl: false, blocks, dropped: [] };
  const layout = layOutSlide(measured, slide, designs[0]!, 'en', { scaleMax: 1.3 });
  expect(layout!.blocks[0]!.lines).toEqual(['Who took', 'my parcel\u00a0in?']);
});

async function layOut(design: (typeof designs)[number], language: string, ...slides: Slide[]) {
  // Tests on other threads release the fonts of the process.
  await forgetReleasedFonts();
  const prepared = await Promise.all(
    slides.map((slide, i) => prepareSlide(slide, { index: i + 1, number: null }, design, { language })),
  );
  return layOutDeck(ctx, prepared, design, language);
}
const body = (text: string): Slide => ({ kind: 'body', text });
const sizeOf = ({ blocks }: SlideLayout) => blocks[0]!.size;

it.each([
  [
    'label',
    'en',
    'Keep it in a separate account with no card.',
    'Keep it in a / separate account / with no card.',
  ],
  [
    'mesh',
    'de',
    'Gegen einen defekten Aufzug hilft keine Rechnung.',
    'Gegen einen / defekten Aufzug / hilft keine / Rechnung.',
  ],
])('leaves no word alone between two lines of a body slide: %s, %s', async (name, language, text, lines) => {
  const design = designs.find(one => one.name === name)!;
  const [layout] = await layOut(design, language, body(text));
  expect(layout!.blocks[0]!.lines.join(' / ')).toBe(lines);
});

describe.each(designs.map(design => [design.name, design] as const))('layOutDeck, %s', (_, design) => {
  it('sets what is large of a hook in 64 px or more, and never hyphenates', async () => {
    const hooks: [string, string][] = [
      ['en', 'What happens when you photograph each frame and compare it with the last month'],
      ['de', 'Für Patchworkfamilien: Von allem auf einmal zu dem Teil, der am Donnerstag zählt'],
      ['en', '5 subscriptions I forgot'],
      ['es', 'Responsabilidades y entrenamientos que sobreviven a una mala semana de octubre'],
    ];
    for (const [language, text] of hooks) {
      const [layout] = await layOut(design, language, { kind: 'cover', text });
      expect([text, sizeOf(layout!) >= 64, sizeOf(layout!)]).toEqual([text, true, sizeOf(layout!)]);
      expect(layout!.blocks.flatMap(({ lines }) => lines).filter(line => line.endsWith('-'))).toEqual([]);
    }
    const [long] = await layOut(design, 'de', {
      kind: 'cover',
      text: 'Ausweisprüfung für Lebensmittelverschwendung',
    });
    expect(sizeOf(long!)).toBeGreaterThanOrEqual(50);
    expect(long!.blocks[0]!.lines.join(' ')).toMatch(/ausweisprüfung für lebensmittelverschwendung/i);
  });

  it('sets a text of 15 words that nothing divides nearly as large as one of 13', async () => {
    const layouts = await layOut(
      design,
      'en',
      body('A chore that nobody did for two weeks moves to the top and turns red'),
      body('A chore that nobody did for two weeks moves to the top'),
    );
    const [long, short] = layouts.map(sizeOf);
    expect(long! / short!).toBeGreaterThan(0.7);
  });

  it.each([
    ['TikTok הרס לי את הבוקר.', 'he', true],
    ['ChatGPT كتب لي خطة', 'ar-EG', true],
    ['Pebblo', 'he', false],
    ['Hello is שלום', 'en', false],
    ['שלום is hello', 'en', true],
  ])('sets "%s" in %s from the right: %s', async (text, language, isRtl) => {
    expect((await layOut(design, language, body(text)))[0]!.isRtl).toBe(isRtl);
  });

  it('signs with the name once, whatever its apostrophe', async () => {
    const slide: Slide = { kind: 'closing', text: "Covoit' École – trajets partagés · App Store" };
    const app = { name: "Covoit' École", store: 'App Store' };
    const { signed } = await prepareSlide(slide, { index: 1, number: null }, design, { language: 'fr', app });
    expect(signed.map(({ text }) => text)).toEqual(['Covoit’ École', 'trajets partagés', 'App Store']);
  });

  it('sets body slides in one size, and the text where the slide says, in the box', async () => {
    const layouts = await layOut(
      design,
      'en',
      { ...body('Stop early.'), position: 'top' },
      body('Write one line before bed, not a page.'),
      { ...body('Pick three and leave the others.'), position: 'bottom' },
    );
    const sizes = layouts.map(sizeOf);
    expect(Math.min(...sizes) / Math.max(...sizes)).toBeGreaterThan(0.8);
    const [top, middle, bottom] = layouts.map(layout => layout.top - textBox.y);
    expect([top, bottom! + layouts[2]!.height]).toEqual([0, textBox.height]);
    expect(middle).toBeCloseTo((textBox.height - layouts[1]!.height) / 2, 0);
  });
});
