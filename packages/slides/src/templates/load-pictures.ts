import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { asBuffer } from '../as-buffer.ts';
import { loadCanvas } from '../canvas.ts';
import type { DeckToRender } from '../deck-to-render.ts';
import { slideHeight, slideWidth } from '../designs/design.ts';
import { moveTo, type PicturedSlide, type SlideLayout } from '../layout/lay-out-slide.ts';
import type { Rows } from '../pack-pixels.ts';
import { readPhoto } from '../photo-strips.ts';
import { calmestTop } from './photo-fill.ts';
import { paintPicture, placeScreens, withScreen } from './screenshot-card.ts';

export type LoadedPictures = {
  /** Decodes the picture of a slide, if it has one. @param index from 0 */
  load(index: number, layout: SlideLayout): Promise<PicturedSlide>;
};

const iconSide = 264;
const slack = 48;
/** The room that an icon takes over the text of the closing slide, in px. */
export const iconRoom = iconSide + 64;

/**
 * Opens the pictures of a deck.
 * @throws Error when the template needs pictures and none is given
 */
export async function loadPictures(deck: DeckToRender): Promise<LoadedPictures> {
  const { slides, template = 'quote-card', pictures = [], chosen, brand, app } = deck;
  const { loadImage } = await loadCanvas();
  const open = async (bytes: Uint8Array): Promise<Image> => (await loadImage(asBuffer(bytes))) as Image;
  if (template !== 'quote-card' && pictures.length === 0) throw new Error(`${template} needs pictures`);
  const others = chosen?.others ?? pictures.length;
  const screens = placeScreens(slides, others, app?.name);
  const places = slides.map((_, index): number | null => {
    if (template === 'quote-card') return null;
    const byTemplate = template === 'photo-card' ? index % others : screens.get(index);
    return chosen?.bySlide[index] ?? byTemplate ?? null;
  });
  const putPicture = async (index: number, layout: SlideLayout): Promise<PicturedSlide> => {
    const { position } = slides[index]!;
    const picture = places[index]!;
    if (picture === null) return { layout, paint: () => {}, picture };
    if (template === 'screenshot-card') {
      return withScreen(layout, await open(pictures[picture]!), position, picture);
    }
    const photo = await readPhoto(pictures[picture]!);
    const above = layout.isSigned && brand?.logo ? iconRoom : 0;
    const moved = position ? layout : moveTo(layout, calmestTop(photo.busy, layout.height + above) + above);
    return { layout: moved, paint: () => {}, picture, over: { photo, rows: paintedRows(moved) } };
  };
  return {
    async load(index, layout) {
      const pictured = await putPicture(index, layout);
      if (!layout.isSigned || !brand?.logo) return pictured;
      const icon = await open(brand.logo);
      const paint = (ctx: SKRSContext2D) => {
        pictured.paint(ctx);
        paintIcon(ctx, icon, pictured.layout);
      };
      return { ...pictured, paint };
    },
  };
}

/** Boxes extend beyond the lines, by less than a line. */
function paintedRows({ top, height, isSigned }: SlideLayout): Rows {
  const first = Math.floor(top - (isSigned ? iconRoom : 0) - slack);
  return [Math.max(0, first), Math.min(slideHeight, Math.ceil(top + height + slack))];
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
