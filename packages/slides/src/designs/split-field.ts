import {
  type Design,
  drawMarkText,
  fillSlide,
  markLabel,
  paintRule,
  slideHeight,
  slideWidth,
} from './design-system.ts';
import { oklch } from './palette.ts';

/** Light above, a slanted field of colour below, with a sun or a moon on the edge. */
export function splitField(hue: number, variant: number): Design {
  const light = oklch(0.95, 0.03, hue);
  const ink = oklch(0.22, 0.05, hue);
  const field = oklch(0.45, 0.12, hue);
  const disc = oklch(0.84, 0.14, 75);
  const accent = oklch(0.48, 0.15, hue);
  const discX = variant === 1 ? 260 : variant === 2 ? 540 : 820;
  return {
    name: 'split-field',
    display: { package: '@fontsource/plus-jakarta-sans', weight: 800 },
    text: { package: '@fontsource/inter', weight: 500 },
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 440, height: 960, place: 'shared' }
        : { top: 250, height: 1000, place: 'middle' },
    style: (role, kind) => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: role === 'detail' ? 500 : 800,
      color: kind === 'closing' ? '#ffffff' : ink,
      sizeMax: { hook: 156, lead: 108, detail: 88, statement: 108, closing: 104 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.1, lead: 1.14, detail: 1.38, statement: 1.26, closing: 1.2 }[role],
      gapAfter: role === 'lead' ? 36 : 0,
    }),
    paintBackground: (ctx, kind) => {
      const isClosing = kind === 'closing';
      fillSlide(ctx, isClosing ? field : light);
      const edge = kind === 'cover' ? 1440 : 1560;
      ctx.fillStyle = isClosing ? oklch(0.52, 0.13, hue) : disc;
      ctx.beginPath();
      ctx.arc(discX, edge + 40, kind === 'cover' ? 210 : 130, 0, Math.PI * 2);
      ctx.fill();
      ctx.fillStyle = isClosing ? oklch(0.36, 0.1, hue) : field;
      ctx.beginPath();
      ctx.moveTo(0, edge + (variant === 1 ? 0 : 140));
      ctx.lineTo(slideWidth, edge + (variant === 1 ? 140 : 0));
      ctx.lineTo(slideWidth, slideHeight);
      ctx.lineTo(0, slideHeight);
      ctx.fill();
    },
    paintBehind: scene => {
      const { mark, kind } = scene;
      if (kind === 'closing') paintRule(scene, disc);
      if (kind !== 'body') return;
      if (!mark) {
        paintRule(scene, accent, 90);
        return;
      }
      const size = mark.kind === 'item' ? 180 : 58;
      drawMarkText(
        scene,
        markLabel(mark),
        `800 ${size}px "Hookline plus-jakarta-sans 800"`,
        accent,
        scene.top - 76,
      );
    },
  };
}
