import {
  type Design,
  drawMarkText,
  edgeX,
  fillSlide,
  markLabel,
  slideHeight,
  slideWidth,
} from '../design-system.ts';
import { paintGrain } from '../grain.ts';
import { oklch, withAlpha } from '../palette.ts';

/** A dark room with one lamp: gradient, glow, a lit accent, rings at the foot. */
export function nightDesk(hue: number, variant: number): Design {
  // Yellow light on a yellow wall turns olive: the wall stays nearly grey there.
  const tint = hue > 60 && hue < 135 ? 0.3 : 1;
  const accent = oklch(0.82, 0.14, hue);
  const paper = oklch(0.97, 0.012, hue);
  const soft = oklch(0.88, 0.02, hue);
  const dark = oklch(0.15, 0.03 * tint, hue + 50);
  const ringX = variant === 1 ? 120 : variant === 2 ? 540 : 960;
  return {
    name: 'night-desk',
    display: { package: '@fontsource/space-grotesk', weight: 700 },
    text: { package: '@fontsource/inter', weight: 500 },
    align: 'start',
    area: kind =>
      kind === 'body' ? { top: 440, height: 980, place: 'top' } : { top: 300, height: 1020, place: 'middle' },
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
        gradient.addColorStop(0, oklch(0.22, 0.05 * tint, hue));
        gradient.addColorStop(1, dark);
        ctx.fillStyle = gradient;
        ctx.fillRect(0, 0, slideWidth, slideHeight);
        const lamp = oklch(0.5, 0.14 * tint, hue);
        const glow = ctx.createRadialGradient(ringX, 1800, 40, ringX, 1800, 1050);
        glow.addColorStop(0, withAlpha(lamp, 0.55));
        glow.addColorStop(1, withAlpha(lamp, 0));
        ctx.fillStyle = glow;
        ctx.fillRect(0, 0, slideWidth, slideHeight);
      }
      ctx.strokeStyle = withAlpha(kind === 'closing' ? dark : accent, 0.35);
      ctx.lineWidth = 3;
      for (let ring = 0; ring < 5; ring++) {
        ctx.beginPath();
        ctx.arc(ringX, 1990, 180 + ring * 92, 0, Math.PI * 2);
        ctx.stroke();
      }
      paintGrain(ctx);
    },
    paintBehind: scene => {
      const { ctx, kind, mark, blocks } = scene;
      const first = blocks[0]!;
      if (kind === 'cover') {
        ctx.fillStyle = accent;
        ctx.fillRect(edgeX(scene, 96), first.baselines[0]! - first.size * 1.05 - 48, 96, 14);
      }
      if (kind !== 'body') return;
      const font = '700 52px "Hookline space-grotesk 700"';
      if (mark?.kind === 'page') drawMarkText(scene, markLabel(mark), font, accent, 356);
      if (mark?.kind === 'item') {
        ctx.fillStyle = accent;
        ctx.beginPath();
        ctx.arc(edgeX(scene, 104) + 52, 332, 52, 0, Math.PI * 2);
        ctx.fill();
        ctx.font = font;
        ctx.fillStyle = dark;
        ctx.textAlign = 'center';
        ctx.fillText(String(mark.number), edgeX(scene, 104) + 52, 350);
      }
      if (!mark) {
        ctx.fillStyle = accent;
        ctx.fillRect(edgeX(scene, 96), 340, 96, 14);
      }
    },
  };
}
