import type { Slide } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import { slideHeight, slideWidth, textBox } from '../designs/design-system.ts';
import { type FontPair, fontPairs } from '../designs/font-pairs.ts';
import { contrastOf } from '../designs/palette.ts';
import { encodeJpeg } from '../encode-jpeg.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';
import { paintSlide, planSlides, renderDeck } from '../render-deck.ts';
import { loadSharp } from '../sharp.ts';
import { loadPictures } from './load-pictures.ts';
import { signatureHeight, signatureRoom } from './signature.ts';

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
const noise = sharp({
  create: {
    width: 700,
    height: 1300,
    channels: 3,
    background: '#808080',
    noise: { type: 'gaussian', mean: 150, sigma: 90 },
  },
})
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
/** White below the text of the closing slide alone, where its handle is. */
const foreground = sharp(
  Buffer.from(Array.from({ length: 1080 * 1920 }, (_, i) => (i < 1080 * 1325 ? 0 : 255))),
  { raw: { width: 1080, height: 1920, channels: 1 } },
)
  .png()
  .toBuffer();

/**
 * The lowest contrast of a slide's text to the pixels of its JPEG under the text, each block with its colour.
 */
async function lowestContrast(deck: DeckToRender): Promise<number> {
  const { createCanvas, loadImage } = await loadCanvas();
  const canvas = createCanvas(slideWidth, slideHeight);
  const background = createCanvas(slideWidth, slideHeight);
  const planned = await planSlides(deck, canvas);
  const pictures = await loadPictures(deck);
  let lowest = 21;
  for (const [i, layout] of planned.layouts.entries()) {
    planned.design.paintBackground(background.getContext('2d'), layout.kind, false);
    const paintPicture = await pictures.load(i, layout);
    paintSlide(canvas, background, planned.design, layout, planned.marks[i]!, false, paintPicture);
    const ctx = background.getContext('2d');
    ctx.drawImage(await loadImage(await encodeJpeg(canvas)), 0, 0);
    const height = layout.height + signatureHeight(pictures.signature, layout);
    const { data } = ctx.getImageData(textBox.x, layout.top, textBox.width, height);
    const colors = new Set<string>();
    for (let at = 0; at < data.length; at += 4 * 7) {
      colors.add(
        `#${data.subarray(at, at + 3).reduce((hex, value) => hex + value.toString(16).padStart(2, '0'), '')}`,
      );
    }
    for (const color of colors) {
      for (const block of layout.blocks) lowest = Math.min(lowest, contrastOf(block.color, color));
    }
  }
  return lowest;
}

describe('photo-card', () => {
  it.each([
    ['a white picture', picture('#ffffff')],
    ['a yellow one', picture('#ffe900', 2000, 900)],
    ['noise', noise],
    ['a board of black and white', board],
    ['a white foreground', foreground, 4],
  ])(
    'keeps a contrast of 4.5 on the pixels under its text and handle over %s',
    async (_, given, count = 1) => {
      const brand = { handle: '@fogline.app' };
      const pictures = Array<Buffer>(count).fill(await given);
      const deck = { slides, seed: 'a', template: 'photo-card', pictures, brand } as const;
      expect(await lowestContrast(deck)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('shows the picture: it is not darkened where there is no text', async () => {
    const deck = { slides, seed: 'a', template: 'photo-card', pictures: [await picture('#ffffff')] } as const;
    const [cover] = await renderDeck(deck);
    const { data } = await sharp(cover!.bytes)
      .extract({ left: 0, top: 0, width: 1080, height: 200 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data.reduce((sum, value) => sum + value, 0) / data.length).toBeGreaterThan(190);
  });
});

describe('screenshot-card', () => {
  it.each([
    ['the app’s hue', undefined],
    ['the brand’s colours', { colors: ['#797979', '#000000'] as const, handle: '@fogline.app' }],
  ])('keeps a contrast of 4.5 in %s, and shows the phone on body and closing slides', async (_, brand) => {
    const deck = {
      slides,
      seed: 'a',
      template: 'screenshot-card',
      pictures: [await picture('#00ff00', 540, 1170)],
      brand,
    } as const;
    expect(await lowestContrast(deck)).toBeGreaterThanOrEqual(4.5);
    const shown = await Promise.all(
      (await renderDeck(deck)).map(async ({ bytes }) => {
        const { data } = await sharp(bytes)
          .extract({ left: 539, top: 1700, width: 2, height: 2 })
          .raw()
          .toBuffer({ resolveWithObject: true });
        return data[1]! > 200 && data[0]! < 90;
      }),
    );
    expect(shown).toEqual([false, true, true, true]);
  });
});

describe('a brand', () => {
  it.each(Object.keys(fontPairs) as FontPair[])(
    '%s: draws a quote-card in its colours and typefaces',
    async fonts => {
      const { GlobalFonts } = await loadCanvas();
      const brand = { colors: ['#102a43', '#ffd166'] as const, fonts, handle: '@fogline.app' };
      const deck: DeckToRender = { slides, seed: 'a', brand };
      expect(await lowestContrast(deck)).toBeGreaterThanOrEqual(4.5);
      const [cover] = await renderDeck(deck);
      const { dominant } = await sharp(cover!.bytes).stats();
      expect([dominant.r < 40, dominant.b > 40]).toEqual([true, true]);
      const [family, weight] = fontPairs[fonts].display;
      expect(GlobalFonts.has(`Hookline ${family} ${weight}`)).toBe(true);
    },
  );

  it.each([
    ['from the left', 'Fogline keeps the week in one list.'],
    ['from the right', 'كل أسبوعك في قائمة واحدة.'],
    ['below a long text', 'Fogline keeps the whole week in one list. '.repeat(9)],
  ])('keeps a handle of 50 characters and its logo inside the text box, %s', async (_, text) => {
    const brand = { handle: `@${'fogline_week'.repeat(4)}.`, logo: await picture('#ff00ff', 200, 200) };
    const [before, after] = await Promise.all(
      [{ ...brand, handle: '' }, brand].map(async brand => {
        const [{ bytes } = { bytes: Buffer.alloc(0) }] = await renderDeck({
          slides: [{ kind: 'closing', text }],
          seed: 'a',
          brand: brand,
        });
        return await sharp(bytes).raw().toBuffer();
      }),
    );
    const [xs, ys]: [number[], number[]] = [[], []];
    for (let at = 0; at < after!.length; at += 3) {
      if (Math.abs(after![at]! - before![at]!) < 60) continue;
      xs.push((at / 3) % slideWidth);
      ys.push(Math.floor(at / 3 / slideWidth));
    }
    const extent = (of: readonly number[]) =>
      of.reduce(([low, high], at) => [Math.min(low!, at), Math.max(high!, at)], [9_999, 0]);
    const [left, right] = extent(xs) as [number, number];
    const from = text.startsWith('F') ? textBox.x : slideWidth - textBox.x - textBox.width;
    expect([left >= from, right <= from + textBox.width, right - left > 600]).toEqual([true, true, true]);
    expect(extent(ys)[1]).toBeLessThanOrEqual(textBox.y + textBox.height);
  });

  it('has room for a signature below every text that ends above it', () => {
    const area = { top: 260, height: textBox.y + textBox.height - signatureRoom - 260 };
    const without = Array.from({ length: 100 }, (_, i) => (46 + i) * 1.16).filter(height => {
      const layout = { kind: 'closing', top: area.top + (area.height - height), height } as SlideLayout;
      return signatureHeight({ handle: '@a', logo: null }, layout) !== signatureRoom;
    });
    expect(without).toEqual([]);
  });

  it('puts a logo on the closing slide alone', async () => {
    const plain = await renderDeck({ slides, seed: 'a' });
    const logo = await picture('#ff00ff', 200, 200);
    const signed = await renderDeck({ slides, seed: 'a', brand: { logo } });
    expect(signed.map(({ bytes }, i) => bytes.equals(plain[i]!.bytes))).toEqual([true, true, true, false]);
  });
});
