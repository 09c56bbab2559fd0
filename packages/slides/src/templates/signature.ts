import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { type Design, slideWidth, textBox } from '../designs/design-system.ts';
import { familyOf } from '../designs/font-pairs.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';

export type Signature = { handle: string | undefined; logo: Image | null };

const logoSide = 104;
const gapAbove = 84;
/** A handle longer than the box is set smaller. */
const sizeMax = 48;
const boxBottom = textBox.y + textBox.height;

/** Height that a signature takes below the text of the closing slide, in px. */
export const signatureRoom = gapAbove + logoSide;

/**
 * Height of a signature with the gap above it, in px; 0 where a slide has none. A text that fills the box
 * leaves no room for one: below the box are the platform's captions.
 */
export function signatureHeight({ handle, logo }: Signature, { kind, top, height }: SlideLayout): number {
  // One pixel for what heights lose in fractions.
  const hasRoom = top + height + signatureRoom <= boxBottom + 1;
  return kind === 'closing' && hasRoom && (handle || logo) ? signatureRoom : 0;
}

/** The logo and the handle of a brand on the closing slide, below its text and inside the text box. */
export function paintSignature(
  ctx: SKRSContext2D,
  { handle, logo }: Signature,
  design: Design,
  layout: SlideLayout,
): void {
  if (signatureHeight({ handle, logo }, layout) === 0) return;
  const y = layout.top + layout.height + gapAbove;
  const scale = logo ? logoSide / Math.max(logo.width, logo.height) : 0;
  const [logoWidth, logoHeight] = logo ? [logo.width * scale, logo.height * scale] : [0, 0];
  const gap = logo && handle ? 28 : 0;
  const family = familyOf(design.text);
  ctx.font = `${sizeMax}px ${family}`;
  const widthAtMax = handle ? ctx.measureText(handle).width : 0;
  const shrunk = Math.min(1, (textBox.width - logoWidth - gap) / widthAtMax);
  const width = logoWidth + gap + widthAtMax * shrunk;
  const isCentred = layout.textAlign === 'center';
  const x = isCentred ? layout.textX - width / 2 : layout.isRtl ? layout.startX - width : layout.startX;
  const boxX = layout.isRtl ? slideWidth - textBox.x - textBox.width : textBox.x;
  const left = Math.max(boxX, Math.min(x, boxX + textBox.width - width));
  if (logo) ctx.drawImage(logo, left, y + (logoSide - logoHeight) / 2, logoWidth, logoHeight);
  if (!handle) return;
  const size = sizeMax * shrunk;
  ctx.font = `${size}px ${family}`;
  ctx.direction = 'ltr';
  ctx.textAlign = 'left';
  ctx.fillStyle = layout.blocks[0]?.color ?? '#ffffff';
  // 0.35: half the height of a capital of these faces.
  ctx.fillText(handle, left + logoWidth + gap, y + logoSide / 2 + size * 0.35);
}
