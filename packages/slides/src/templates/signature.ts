import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { type Design, slideWidth } from '../designs/design-system.ts';
import { familyOf } from '../designs/font-pairs.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';

export type Signature = { handle: string | undefined; logo: Image | null };

const logoSide = 104;
const gapAbove = 84;

/** Height of a signature with the gap above it, in px; 0 where a slide has none. */
export function signatureHeight({ handle, logo }: Signature, { kind }: SlideLayout): number {
  return kind === 'closing' && (handle || logo) ? logoSide + gapAbove : 0;
}

/** The logo and the handle of a brand on the closing slide, below its text. */
export function paintSignature(
  ctx: SKRSContext2D,
  { handle, logo }: Signature,
  design: Design,
  layout: SlideLayout,
): void {
  if (signatureHeight({ handle, logo }, layout) === 0) return;
  const y = Math.min(1470, layout.top + layout.height + gapAbove);
  ctx.font = `48px ${familyOf(design.text)}`;
  const textWidth = handle ? ctx.measureText(handle).width : 0;
  const scale = logo ? logoSide / Math.max(logo.width, logo.height) : 0;
  const [logoWidth, logoHeight] = logo ? [logo.width * scale, logo.height * scale] : [0, 0];
  const gap = logo && handle ? 28 : 0;
  const width = logoWidth + gap + textWidth;
  const isCentred = layout.textAlign === 'center';
  const x = isCentred ? layout.textX - width / 2 : layout.isRtl ? layout.startX - width : layout.startX;
  const left = Math.max(40, Math.min(x, slideWidth - 40 - width));
  if (logo) ctx.drawImage(logo, left, y + (logoSide - logoHeight) / 2, logoWidth, logoHeight);
  if (!handle) return;
  ctx.direction = 'ltr';
  ctx.textAlign = 'left';
  ctx.fillStyle = layout.blocks[0]?.color ?? '#ffffff';
  ctx.fillText(handle, left + logoWidth + gap, y + logoSide / 2 + 17);
}
