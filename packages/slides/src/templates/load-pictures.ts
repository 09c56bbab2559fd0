import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';
import { type Photo, paintPhoto } from './photo-card.ts';
import { paintDevice } from './screenshot-card.ts';
import { type Signature, signatureHeight } from './signature.ts';

export type LoadedPictures = {
  /** Paints the picture of a slide, if its template has one there. @param index from 0 */
  paint(ctx: SKRSContext2D, layout: SlideLayout, index: number): void;
  signature: Signature;
};

/** Decodes the pictures of a deck. @throws Error when the template needs pictures and none is given */
export async function loadPictures({
  template,
  pictures = [],
  brand,
}: DeckToRender): Promise<LoadedPictures> {
  const { createCanvas, loadImage } = await loadCanvas();
  const load = async (bytes: Uint8Array): Promise<Image> => (await loadImage(Buffer.from(bytes))) as Image;
  const logo = brand?.logo ? await load(brand.logo) : null;
  const signature = { handle: brand?.handle, logo };
  if (template !== 'photo-card' && template !== 'screenshot-card') return { paint: () => {}, signature };
  if (pictures.length === 0) throw new Error(`${template} needs pictures`);
  const images: Image[] = [];
  for (const bytes of pictures) images.push(await load(bytes));
  if (template === 'photo-card') {
    const photos = images.map((picture): Photo => ({ picture, soft: null }));
    const paint: LoadedPictures['paint'] = (ctx, layout, index) =>
      paintPhoto(ctx, photos[index % photos.length]!, layout, createCanvas);
    return { paint, signature };
  }
  return {
    // The cover has no phone.
    paint: (ctx, layout, index) =>
      paintDevice(
        ctx,
        images[(index + images.length - 1) % images.length]!,
        layout,
        signatureHeight(signature, layout),
      ),
    signature,
  };
}
