import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { asBuffer } from '../as-buffer.ts';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import { slideWidth } from '../designs/design.ts';
import { moveTo, type SlideLayout, topOf } from '../layout/lay-out-slide.ts';
import { calmestPlace, fillWith } from './photo-card.ts';
import { paintPicture, placeScreens, withScreen } from './screenshot-card.ts';

/** A slide with its picture: its text has moved to where it covers nothing of it. */
export type PicturedSlide = { layout: SlideLayout; paint: (ctx: SKRSContext2D) => void };

export type LoadedPictures = {
  /** Decodes the picture of a slide, if it has one. @param index from 0 */
  load(index: number, layout: SlideLayout): Promise<PicturedSlide>;
};

const iconSide = 264;
/** The room that an icon takes over the text of the closing slide, in px. */
export const iconRoom = iconSide + 64;

/** Pictures of a slide's size that are kept for later slides of a deck, 8 MB each. */
const keptMax = 4;

/**
 * Opens the pictures of a deck.
 * @throws Error when the template needs pictures and none is given
 */
export async function loadPictures(deck: DeckToRender): Promise<LoadedPictures> {
  const { slides, template = 'quote-card', pictures = [], brand, app } = deck;
  const { createCanvas, loadImage } = await loadCanvas();
  const open = async (bytes: Uint8Array): Promise<Image> => (await loadImage(asBuffer(bytes))) as Image;
  if (template !== 'quote-card' && pictures.length === 0) throw new Error(`${template} needs pictures`);
  const screens =
    template === 'screenshot-card' ? placeScreens(slides, pictures.length, app?.name) : new Map();
  const kept = new Map<number, Canvas>();
  const openPhoto = async (index: number): Promise<Canvas> => {
    const at = index % pictures.length;
    const photo = kept.get(at) ?? fillWith(await open(pictures[at]!), createCanvas);
    if (index + pictures.length < slides.length && kept.size < keptMax) kept.set(at, photo);
    return photo;
  };
  return {
    async load(index, layout) {
      const { position } = slides[index]!;
      if (layout.isSigned && brand?.logo) {
        const icon = await open(brand.logo);
        const under = template === 'photo-card' ? await openPhoto(index) : null;
        const paint = (ctx: SKRSContext2D) => {
          if (under) ctx.drawImage(under, 0, 0);
          paintIcon(ctx, icon, layout);
        };
        return { layout, paint };
      }
      if (template === 'photo-card') {
        const photo = await openPhoto(index);
        const place = position ?? calmestPlace(photo, layout, createCanvas);
        const moved = layout.isSigned ? layout : moveTo(layout, topOf(place, layout.height));
        return { layout: moved, paint: ctx => ctx.drawImage(photo, 0, 0) };
      }
      const at = screens.get(index);
      return at === undefined
        ? { layout, paint: () => {} }
        : withScreen(layout, await open(pictures[at]!), position);
    },
  };
}

/** The icon with the corners that stores give it. */
function paintIcon(ctx: SKRSContext2D, icon: Image, { textX, textAlign, isRtl, top }: SlideLayout): void {
  const scale = iconSide / Math.max(icon.width, icon.height);
  const [width, height] = [icon.width * scale, icon.height * scale];
  const x = textAlign === 'center' ? textX - width / 2 : isRtl ? textX - width : textX;
  const y = top - iconRoom + (iconSide - height) / 2;
  paintPicture(
    ctx,
    icon,
    [Math.min(x, slideWidth - width), y, width, height],
    Math.min(width, height) * 0.22,
  );
}
