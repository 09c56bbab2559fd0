import {
  type Design,
  drawMarkText,
  edgeX,
  fillSlide,
  markLabel,
  paintRule,
  slideHeight,
  slideWidth,
} from './design-system.ts';
import { paintGrain } from './grain.ts';
import { oklch, withAlpha } from './palette.ts';

/** A dark room with one lamp: gradient, glow, a lit accent, rings at the bottom. */
export function nightDesk(hue: number, variant: number): Design {
  // Yellow light on a yellow wall turns olive, so the wall stays nearly grey.
  const tint = hue > 60 && hue < 135 ? 0.3 : 1;
  const accent = oklch(0.82, 0.14, hue);
  const paper = oklch(0.97, 0.012, hue);
  const soft = oklch(0.88, 0.02, hue);
  const dark = oklch(0.17, 0.045 * tint, hue + 40);
  const ringX = variant === 1 ? 120 : variant === 2 ? 540 : 960;
  return {
    name: 'night-desk',
    display: { package: '@fontsource/space-grotesk', weight: 700 },
    text: { package: '@fontsource/inter', weight: 500 },
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 440, height: 980, place: 'shared' }
        : { top: 300, height: 1020, place: 'middle' },
    style: (role, kind) => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: role === 'detail' ? 500 : 700,
      color: kind === 'closing' ? dark : role === 'lead' ? accent : role === 'detail' ? soft : paper,
      sizeMax: { hook: 152, lead: 108, detail: 88, statement: 108, closing: 104 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.08, lead: 1.12, detail: 1.38, statement: 1.26, closing: 1.2 }[role],
      gapAfter: role === 'lead' ? 40 : 0,
    }),
    paintBackground: (ctx, kind) => {
      if (kind === 'closing') fillSlide(ctx, accent);
      else {
        const gradient = ctx.createLinearGradient(0, 0, 300, slideHeight);
        gradient.addColorStop(0, oklch(0.28, 0.085 * tint, hue));
        gradient.addColorStop(1, dark);
        ctx.fillStyle = gradient;
        ctx.fillRect(0, 0, slideWidth, slideHeight);
        const lamp = oklch(0.5, 0.14 * tint, hue);
        const glow = ctx.createRadialGradient(ringX, 1800, 40, ringX, 1800, 1050);
        glow.addColorStop(0, withAlpha(lamp, 0.65));
        glow.addColorStop(1, withAlpha(lamp, 0));
        ctx.fillStyle = glow;
        ctx.fillRect(0, 1800 - 1050, slideWidth, slideHeight);
      }
      // Each disc overlaps the wider ones, so the light grows towards the middle.
      ctx.fillStyle = withAlpha(kind === 'closing' ? dark : accent, kind === 'closing' ? 0.09 : 0.12);
      for (let ring = 0; ring < 5; ring++) {
        ctx.beginPath();
        ctx.arc(ringX, 1990, 170 + ring * (kind === 'cover' ? 104 : 88), 0, Math.PI * 2);
        ctx.fill();
      }
      paintGrain(ctx);
    },
    paintBehind: scene => {
      const { ctx, kind, mark, top } = scene;
      if (kind !== 'body') {
        paintRule(scene, kind === 'cover' ? accent : dark);
        return;
      }
      if (mark?.kind === 'page')
        drawMarkText(scene, markLabel(mark), '700 56px "Hookline space-grotesk 700"', accent, top - 84);
      if (mark?.kind === 'item') {
        ctx.fillStyle = accent;
        ctx.beginPath();
        ctx.arc(edgeX(scene, 144) + 72, top - 116, 72, 0, Math.PI * 2);
        ctx.fill();
        ctx.font = '700 76px "Hookline space-grotesk 700"';
        ctx.fillStyle = dark;
        ctx.textAlign = 'center';
        ctx.fillText(String(mark.number), edgeX(scene, 144) + 72, top - 89);
      }
      if (!mark) paintRule(scene, accent, 100);
    },
  };
}
