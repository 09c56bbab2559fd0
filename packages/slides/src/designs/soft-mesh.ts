import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Design, fillSlide, type Scene, slideWidth, textBox } from './design-system.ts';
import { paintGrain } from './grain.ts';
import { oklch, withAlpha } from './palette.ts';

/** Four soft clouds of light, centred type, dots for progress; the quietest of the systems. */
export function softMesh(hue: number, variant: number): Design {
  // A neighbouring hue gives depth, except the olive below green.
  const turned = (hue + 300) % 360;
  const deep = turned > 60 && turned < 138 ? hue : turned;
  const ink = oklch(0.22, 0.05, deep);
  const accent = oklch(0.46, 0.15, deep);
  return {
    name: 'soft-mesh',
    display: { package: '@fontsource/manrope', weight: 800 },
    text: { package: '@fontsource/manrope', weight: 600 },
    align: 'center',
    area: kind =>
      kind === 'body'
        ? { top: 410, height: 980, place: 'middle' }
        : { top: 300, height: 1020, place: 'middle' },
    style: (role, kind) => ({
      face: role === 'detail' ? 'text' : 'display',
      weight: role === 'detail' ? 600 : 800,
      color: kind === 'closing' ? '#ffffff' : ink,
      sizeMax: { hook: 142, lead: 102, detail: 88, statement: 106, closing: 96 }[role],
      sizeMin: 46,
      lineHeight: { hook: 1.12, lead: 1.16, detail: 1.38, statement: 1.28, closing: 1.24 }[role],
      gapAfter: role === 'lead' ? 44 : 0,
    }),
    paintBackground: (ctx, kind) => {
      const isClosing = kind === 'closing';
      fillSlide(ctx, isClosing ? oklch(0.3, 0.09, deep) : oklch(0.95, 0.025, hue));
      paintClouds(ctx, isClosing ? deep : hue, variant, isClosing);
      paintGrain(ctx);
    },
    paintBehind: scene => {
      if (scene.kind === 'body') paintProgress(scene, accent);
      else {
        scene.ctx.fillStyle = scene.kind === 'cover' ? accent : oklch(0.8, 0.12, deep);
        scene.ctx.beginPath();
        scene.ctx.roundRect(middleOf(scene) - 70, scene.top - 84, 140, 18, 9);
        scene.ctx.fill();
      }
    },
  };
}

function paintClouds(ctx: SKRSContext2D, hue: number, variant: number, isClosing: boolean): void {
  const places = [
    [120, 260, 760],
    [980, 620, 700],
    [160, 1500, 820],
    [960, 1760, 760],
  ] as const;
  for (const [i, [x, y, radius]] of places.entries()) {
    const turn = [0, 45, 90, 320][(i + variant) % 4]!;
    const color = isClosing ? oklch(0.42, 0.13, hue + turn / 8) : oklch(0.86, 0.09, hue + turn);
    const cloud = ctx.createRadialGradient(x, y, 0, x, y, radius);
    cloud.addColorStop(0, withAlpha(color, 0.95));
    cloud.addColorStop(1, withAlpha(color, 0));
    ctx.fillStyle = cloud;
    // Beyond its radius a cloud is clear.
    ctx.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  }
}

/** Text is centred in the box, which is mirrored for right-to-left scripts. */
function middleOf({ isRtl }: Scene): number {
  const middle = textBox.x + textBox.width / 2;
  return isRtl ? slideWidth - middle : middle;
}

function paintProgress(scene: Scene, accent: string): void {
  const { ctx, mark } = scene;
  const middle = middleOf(scene);
  if (mark?.kind === 'item') {
    ctx.fillStyle = accent;
    ctx.beginPath();
    ctx.arc(middle, 324, 76, 0, Math.PI * 2);
    ctx.fill();
    ctx.font = '800 84px "Hookline manrope 800"';
    ctx.fillStyle = '#ffffff';
    ctx.textAlign = 'center';
    ctx.fillText(String(mark.number), middle, 354);
    return;
  }
  if (!mark) return;
  const gap = 56;
  const left = middle - ((mark.total - 1) * gap) / 2;
  for (let i = 0; i < mark.total; i++) {
    const isCurrent = i + 1 === mark.number;
    ctx.fillStyle = withAlpha(accent, isCurrent ? 1 : 0.28);
    ctx.beginPath();
    ctx.roundRect(left + i * gap - (isCurrent ? 24 : 11), 290, isCurrent ? 48 : 22, 22, 11);
    ctx.fill();
  }
}
