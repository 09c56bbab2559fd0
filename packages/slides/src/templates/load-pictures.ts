import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { asBuffer } from '../as-buffer.ts';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';
import { paintPhoto } from './photo-card.ts';
import { drawFrame, type Frame, paintDevice, type Screen, scaleScreen } from './screenshot-card.ts';
import { type Signature, signatureHeight } from './signature.ts';

export type LoadedPictures = {
  /**
   * Decodes the picture of a slide, if its template has one there. @param index from 0
   * @returns what paints it, once; the decoded picture, at most 33 MB, is free afterwards
   */
  load(index: number, layout: SlideLayout): Promise<(ctx: SKRSContext2D) => void>;
  signature: Signature;
};

/** Scaled screenshots that are kept for later slides of a deck, 3 MB each. Its frame takes 6 MB. */
const screensMax = 4;

/**
 * Opens the pictures of a deck and decodes the logo.
 * @throws Error when the template needs pictures and none is given
 */
export async function loadPictures({
  slides,
  template,
  pictures = [],
  brand,
}: DeckToRender): Promise<LoadedPictures> {
  const { createCanvas, loadImage } = await loadCanvas();
  const load = async (bytes: Uint8Array): Promise<Image> => (await loadImage(asBuffer(bytes))) as Image;
  const logo = brand?.logo ? await load(brand.logo) : null;
  const signature = { handle: brand?.handle, logo };
  if (template !== 'photo-card' && template !== 'screenshot-card') {
    return { load: async () => () => {}, signature };
  }
  if (pictures.length === 0) throw new Error(`${template} needs pictures`);
  if (template === 'photo-card') {
    const softs: Canvas[] = [];
    return {
      async load(index, layout) {
        const at = index % pictures.length;
        const photo = softs[at] ?? (await load(pictures[at]!));
        return ctx => {
          softs[at] = paintPhoto(ctx, photo, layout, signatureHeight(signature, layout), createCanvas);
        };
      },
      signature,
    };
  }
  const screens = new Map<number, Screen>();
  let frame: Frame | null = null;
  return {
    async load(index, layout) {
      // The cover has no phone.
      if (layout.kind === 'cover') return () => {};
      const at = (index + pictures.length - 1) % pictures.length;
      const screen = screens.get(at) ?? scaleScreen(await load(pictures[at]!), createCanvas);
      if (index + pictures.length < slides.length && screens.size < screensMax) screens.set(at, screen);
      if (frame?.height !== screen.height || frame.isTall !== screen.isTall) {
        frame = drawFrame(screen, createCanvas);
      }
      const shared = frame;
      return ctx => paintDevice(ctx, screen, shared, layout, signatureHeight(signature, layout));
    },
    signature,
  };
}
