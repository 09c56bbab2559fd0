import {
  type Design,
  drawMarkText,
  edgeX,
  fillSlide,
  markLabel,
  slideHeight,
  slideWidth,
} from './design-system.ts';
import { cleanHue, oklch, withAlpha } from './palette.ts';

/** A strong field of colour, condensed capitals, a heavy bar, a huge numeral that runs off the bottom. */
export function posterBlock(hue: number, variant: number): Design {
  const clean = cleanHue(hue);
  const field = variant === 2 ? oklch(0.22, 0.035, clean) : oklch(0.49, 0.17, clean);
  const white = '#ffffff';
  const spark = oklch(0.9, 0.14, clean + 180 > 360 ? clean - 180 : clean + 180);
  const bar = variant === 2 ? oklch(0.8, 0.15, clean) : spark;
  return {
    name: 'poster-block',
    display: { package: '@fontsource/anton', weight: 400 },
    text: { package: '@fontsource/plus-jakarta-sans', weight: 700 },
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 450, height: 970, place: 'shared' }
        : { top: 260, height: 1080, place: 'middle' },
    style: (role, kind) => {
      const isDisplay = role !== 'detail';
      return {
        face: isDisplay ? 'display' : 'text',
        weight: isDisplay ? 400 : 700,
        color: kind === 'closing' ? field : white,
        sizeMax: { hook: 232, lead: 158, detail: 82, statement: 128, closing: 140 }[role],
        sizeMin: 46,
        lineHeight: { hook: 1.14, lead: 1.18, detail: 1.36, statement: 1.26, closing: 1.24 }[role],
        gapAfter: role === 'lead' ? 40 : 0,
        uppercase: isDisplay,
      };
    },
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, kind === 'closing' ? oklch(0.95, 0.035, clean) : field);
      const shade = variant === 2 ? oklch(0.3, 0.06, clean) : withAlpha('#000000', 0.14);
      ctx.fillStyle = kind === 'closing' ? field : shade;
      ctx.beginPath();
      ctx.moveTo(0, kind === 'body' ? 1760 : 1640);
      ctx.lineTo(slideWidth, kind === 'body' ? 1560 : 1420);
      ctx.lineTo(slideWidth, slideHeight);
      ctx.lineTo(0, slideHeight);
      ctx.fill();
    },
    paintBehind: scene => {
      const { ctx, mark, kind, blocks, top } = scene;
      const last = blocks.at(-1)!;
      if (kind !== 'body') {
        ctx.fillStyle = kind === 'cover' ? bar : field;
        ctx.fillRect(edgeX(scene, 260), last.baselines.at(-1)! + last.size * 0.22 + 34, 260, 22);
      }
      if (kind === 'body' && mark?.kind !== 'item') {
        ctx.fillStyle = bar;
        ctx.fillRect(edgeX(scene, 140), top - 160, 140, 20);
      }
      if (kind === 'body' && mark?.kind === 'item') {
        ctx.font = '400 860px "Hookline anton 400"';
        ctx.fillStyle = variant === 2 ? withAlpha('#000000', 0.3) : withAlpha('#000000', 0.16);
        ctx.textAlign = scene.isRtl ? 'left' : 'right';
        ctx.fillText(String(mark.number), scene.isRtl ? 40 : slideWidth - 40, slideHeight + 70);
        drawMarkText(scene, markLabel(mark), '400 168px "Hookline anton 400"', bar, top - 40);
      }
      if (kind === 'body' && mark?.kind === 'page') {
        drawMarkText(scene, markLabel(mark), '700 52px "Hookline plus-jakarta-sans 700"', white, top - 60);
      }
    },
  };
}
