import type { Slide } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import { slideHeight, slideWidth, textBox } from '../designs/design.ts';
import { type FontPair, fontPairs } from '../designs/font-pairs.ts';
import { paintSlide, planSlides, renderDeck } from '../render-deck.ts';
import { loadSharp } from '../sharp.ts';
import { iconRoom, loadPictures } from './load-pictures.ts';
import { photoCard } from './photo-card.ts';
import { fillWith } from './photo-fill.ts';

const sharp = await loadSharp();
const slides: Slide[] = [
  { kind: 'cover', text: '5 things nobody tells you about rainy weeks' },
  { kind: 'body', text: 'Pack the night before. Morning you has no patience for zips.' },
  { kind: 'body', text: 'A slide with many small words in it is long. '.repeat(9) },
  { kind: 'closing', text: 'Fogline keeps the week in one list.' },
];
const picture = (background: string, width = 900, height = 1600) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
/** Black and white in cells of 40 px: the worst that a photo can put under a letter. */
const board = sharp(
  Buffer.from(Array.from({ length: 27 * 48 }, (_, i) => (((i % 27) + Math.floor(i / 27)) % 2 ? 255 : 0))),
  { raw: { width: 27, height: 48, channels: 1 } },
)
  .resize(1080, 1920, { kernel: 'nearest' })
  .png()
  .toBuffer();

const colorsAt = async (bytes: Buffer, left: number, top: number) =>
  [...(await sharp(bytes).extract({ left, top, width: 2, height: 2 }).removeAlpha().raw().toBuffer())].slice(
    0,
    3,
  );

describe('photo-card', () => {
  /** An app whose hooks are in black boxes, and one of white ones. */
  const [black, white] = ['#000000', '#ffffff'].map(
    box =>
      Array.from({ length: 20 }, (_, i) => `app_${i}`).find(
        seed => photoCard(seed).ink('hook', 'cover').box === box,
      )!,
  ) as [string, string];

  it.each([
    ['white, in white', picture('#ffffff'), white],
    ['yellow, in black', picture('#ffe900', 2000, 900), black],
    ['a board of black and white, in black', board, black],
    ['a board of black and white, in white', board, white],
  ])('separates letters from the picture under them: %s', async (_, given, seed) => {
    const { createCanvas, loadImage } = await loadCanvas();
    const deck = { slides, seed, template: 'photo-card', pictures: [await given] } as const;
    const { design, layouts } = await planSlides(deck, createCanvas(8, 8));
    const loaded = await loadPictures(deck);
    const rendered = await renderDeck(deck);
    for (const [i, layout] of layouts.entries()) {
      const pictured = await loaded.load(i, layout);
      const [bare, inked] = [true, false].map(isBare => {
        const canvas = createCanvas(slideWidth, slideHeight);
        const context = canvas.getContext('2d');
        paintSlide(canvas, null, design, { layout: pictured.layout, paint: () => {} }, !isBare);
        return context.getImageData(0, 0, slideWidth, slideHeight).data;
      });
      const canvas = createCanvas(slideWidth, slideHeight);
      canvas.getContext('2d').drawImage(await loadImage(rendered[i]!.bytes), 0, 0);
      const seen = canvas.getContext('2d').getImageData(0, 0, slideWidth, slideHeight).data;
      expect(separatedShare(bare!, inked!, seen)).toBeGreaterThan(0.97);
    }
  });

  it('shows the picture as it is, wherever there is no text', async () => {
    const deck = {
      slides,
      seed: black,
      template: 'photo-card',
      pictures: [await picture('#c08040')],
    } as const;
    for (const { bytes } of await renderDeck(deck)) {
      for (const [x, y] of [
        [4, 4],
        [1040, 960],
        [540, 1800],
      ] as const) {
        const differences = (await colorsAt(bytes, x, y)).map((value, i) =>
          Math.abs(value - [192, 128, 64][i]!),
        );
        expect(Math.max(...differences)).toBeLessThan(6);
      }
    }
  });

  it('enlarges a small picture to the slide: cut more below than above, on black where it is clear', async () => {
    const halves = sharp(Buffer.from([0, 255]), { raw: { width: 1, height: 2, channels: 1 } });
    const tall = await halves.resize(300, 700, { kernel: 'nearest', fit: 'fill' }).png().toBuffer();
    const clear = {
      width: 400,
      height: 300,
      channels: 4,
      background: { r: 255, g: 255, b: 255, alpha: 0.5 },
    } as const;
    const row = await sharp({ create: { ...clear, width: 2160, height: 1 } })
      .png()
      .toBuffer();
    expect((await fillWith(row)).length).toBe(slideWidth * slideHeight * 3);
    const [filled, dimmed] = await Promise.all(
      [tall, await sharp({ create: clear }).png().toBuffer()].map(fillWith),
    );
    // The enlarged picture is 2520 px high and loses 210 at the top, which puts the edge at 1050.
    expect([1030, 1070].map(y => filled![y * slideWidth * 3]! > 127)).toEqual([false, true]);
    expect(filled!.length).toBe(slideWidth * slideHeight * 3);
    expect(Math.abs(dimmed![0]! - 128)).toBeLessThan(3);
  });

  it('has an edge around boxes of the colour of the picture', async () => {
    const { createCanvas } = await loadCanvas();
    const deck = {
      slides,
      seed: white,
      template: 'photo-card',
      pictures: [await picture('#ffffff')],
    } as const;
    const [layout] = (await planSlides(deck, createCanvas(8, 8))).layouts;
    const moved = (await (await loadPictures(deck)).load(0, layout!)).layout;
    const [cover] = await renderDeck(deck);
    const above = { left: 500, width: 8, top: Math.round(moved.top) - 30, height: 32 };
    const darkest = Math.min(...(await sharp(cover!.bytes).extract(above).raw().toBuffer()));
    expect([darkest > 150, darkest < 215]).toEqual([true, true]);
  });

  it('shows the picture that a slide has by choice, and the others in turn', async () => {
    const colors = ['#c08040', '#4080c0', '#40c080'];
    const pictures = await Promise.all(colors.map(color => picture(color)));
    const chosen = { bySlide: [null, 2, null, null], others: 2 };
    const rendered = await renderDeck({ slides, seed: black, template: 'photo-card', pictures, chosen });
    expect(rendered.map(slide => slide.picture)).toEqual([0, 2, 0, 1]);
    const [, green] = await colorsAt(rendered[1]!.bytes, 4, 4);
    expect(green).toBeGreaterThan(180);
  });

  it('keeps its text off what is busy, unless the slide says where', async () => {
    const { createCanvas, loadImage } = await loadCanvas();
    const busyBelow = createCanvas(1080, 1920);
    const ctx = busyBelow.getContext('2d');
    ctx.fillStyle = '#88aacc';
    ctx.fillRect(0, 0, 1080, 1920);
    ctx.drawImage(await loadImage(await board), 0, 700, 1080, 1220);
    const pictures = [await busyBelow.encode('jpeg', 90)];
    const short = { kind: 'cover', text: 'Pack the night before' } as const;
    const brand = { logo: await picture('#ff00ff', 512, 512) };
    const load = async (slide: Slide) => {
      const app = { name: 'Fogline' };
      const deck = { slides: [slide], seed: black, template: 'photo-card', pictures, app, brand } as const;
      const { layouts } = await planSlides(deck, createCanvas(8, 8));
      return await (await loadPictures(deck)).load(0, layouts[0]!);
    };
    const topOf = async (slide: Slide) => (await load(slide)).layout.top;
    expect(await topOf(short)).toBeCloseTo(textBox.y, 0);
    const closing = await load({ kind: 'closing', text: 'Fogline keeps the week' });
    expect(closing.layout.top).toBeLessThan(650);
    closing.paint(ctx);
    const { data } = ctx.getImageData(540, Math.round(closing.layout.top) - iconRoom + 20, 1, 1);
    expect([...data]).toEqual([expect.closeTo(255, -1), expect.closeTo(0, -1), expect.closeTo(255, -1), 255]);
    expect(await topOf({ ...short, position: 'bottom' })).toBeGreaterThan(1000);
  });
});

/** Of the edges of letters, the share where the pixels inside and outside differ much in brightness. */
function separatedShare(bare: Uint8ClampedArray, inked: Uint8ClampedArray, seen: Uint8ClampedArray): number {
  const isInk = (at: number) => Math.abs(inked[at + 1]! - bare[at + 1]!) > 200;
  const directions = [4, -4, slideWidth * 4, -slideWidth * 4];
  let [edges, separated] = [0, 0];
  for (let y = 230; y < 1430; y += 3) {
    for (let x = 90; x < 920; x += 3) {
      const at = (y * slideWidth + x) * 4;
      for (const step of directions) {
        if (!isInk(at) || !isInk(at - 2 * step) || [3, 4, 5, 6].some(by => isInk(at + by * step))) continue;
        edges++;
        if (Math.abs(seen[at - 2 * step + 1]! - seen[at + 5 * step + 1]!) > 110) separated++;
      }
    }
  }
  return edges === 0 ? 0 : separated / edges;
}

describe('screenshot-card', () => {
  const list: Slide[] = [
    { kind: 'cover', text: '4 things for rainy weeks' },
    ...[
      'Pack the night before.',
      'Dry the boots on paper.',
      'Fogline says when it lifts.',
      'Leave early.',
    ].map((text): Slide => ({ kind: 'body', text })),
    { kind: 'closing', text: 'Fogline keeps the week in one list.' },
  ];
  const shownOn = async (given: Partial<DeckToRender>, [x, y]: readonly [number, number]) => {
    const deck = {
      slides: list,
      seed: 'app_1',
      brandHue: 258,
      template: 'screenshot-card',
      ...given,
    } as const;
    const rendered = await renderDeck(deck);
    const isGreen = async (bytes: Buffer) => {
      const [r, g, b] = await colorsAt(bytes, x, y);
      return g! > 200 && r! < 90 && b! < 90;
    };
    return await Promise.all(rendered.map(({ bytes }) => isGreen(bytes)));
  };
  const phone = picture('#00ff00', 540, 1170);

  it('shows a screenshot where the text names the app', async () => {
    const app = { name: 'Fogline' };
    const pictures = [await phone];
    expect(await shownOn({ app, pictures }, [540, 1500])).toEqual([false, false, false, true, false, false]);
  });

  it('shows one screenshot in the middle of a list, two in turn, none twice', async () => {
    const one = await phone;
    expect((await shownOn({ pictures: [one] }, [540, 1500])).indexOf(true)).toBe(3);
    const both = await shownOn({ pictures: [one, await picture('#00fe00', 540, 1170)] }, [540, 1500]);
    expect(both.filter(isShown => isShown).length).toBe(2);
  });

  it('shows a wide screenshot next to its text, in the middle of the slide', async () => {
    const pictures = [await picture('#00ff00', 1920, 1080)];
    expect((await shownOn({ pictures }, [540, 1000])).filter(isShown => isShown).length).toBe(1);
  });
});

describe('the closing slide', () => {
  const app = { name: 'Fogline', store: 'App Store' };
  const closingOf = async (given: Partial<DeckToRender>, text = 'Fogline keeps the week in one list.') => {
    const [slide] = await renderDeck({ slides: [{ kind: 'closing', text }], seed: 'app_1', app, ...given });
    return slide!;
  };

  it('shows the icon above the name, the store and the handle', async () => {
    const { createCanvas } = await loadCanvas();
    const brand = { logo: await picture('#ff00ff', 512, 512), handle: '@fogline.app' };
    const deck = { slides: slides.slice(3), seed: 'app_1', app, brand } as const;
    const { layouts } = await planSlides(deck, createCanvas(8, 8));
    const lines = layouts[0]!.blocks.flatMap(block =>
      block.lines.map(line => line.replace(/[\u2066\u2069]/g, '')),
    );
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['Fogline', 'App Store', '@fogline.app']);
    const slide = await closingOf({ brand });
    const { data, info } = await sharp(slide.bytes).raw().toBuffer({ resolveWithObject: true });
    let icon = 0;
    for (let at = 0; at < data.length; at += info.channels) {
      if (data[at]! > 230 && data[at + 1]! < 40 && data[at + 2]! > 230) icon++;
    }
    expect([slide.isSigned, Math.round(icon / 10_000)]).toEqual([true, 7]);
  });

  it('is as it was written when a long text leaves no room, or no font has the name', async () => {
    const long = 'Fogline keeps the whole week in one list. '.repeat(12);
    const logo = await picture('#ff00ff', 512, 512);
    expect((await closingOf({ brand: { logo, handle: '@fogline' } }, long)).isSigned).toBe(false);
    expect((await closingOf({ app: { name: 'ሰላም' } })).isSigned).toBe(false);
  });
});

describe('a brand', () => {
  it.each(Object.keys(fontPairs) as FontPair[])(
    '%s: draws a quote-card in its colours and typefaces',
    async fonts => {
      const { GlobalFonts } = await loadCanvas();
      const colors = ['#102a43', '#ffd166'] as const;
      for (const seed of ['app_1', 'app_2', 'app_3']) {
        const [cover, , , closing] = await renderDeck({ slides, seed, brand: { colors, fonts } });
        const dominants = await Promise.all(
          [cover, closing].map(async slide => (await sharp(slide!.bytes).stats()).dominant),
        );
        // Blue or yellow, or a paler shade of one of them.
        for (const { r, b } of dominants) expect([seed, Math.abs(r - b) > 12]).toEqual([seed, true]);
      }
      const { package: name, weight } = fontPairs[fonts];
      expect(GlobalFonts.has(`Hookline ${name.split('/')[1]} ${weight}`)).toBe(true);
    },
  );
});
