import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Design, fillSlide, type Scene, slideHeight, slideWidth, textBox } from '../design-system.ts';
import { paintGrain } from '../grain.ts';
import { oklch, withAlpha } from '../palette.ts';

/** Four soft clouds of light, centred type, dots for progress; the quietest of the systems. */
export function softMesh(hue: number, variant: number): Design {
  const ink = oklch(0.22, 0.05, hue + 300);
  const accent = oklch(0.46, 0.15, hue + 300);
  return {
    name: 'soft-mesh',
    display: { package: '@fontsource/manrope', weight: 800 },
    text: { package: '@fontsource/manrope', weight: 600 },
    align: 'center',
    area: kind =>
      kind === 'body'
        ? { top: 340, height: 1040, place: 'middle' }
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
      fillSlide(ctx, isClosing ? oklch(0.3, 0.09, hue + 300) : oklch(0.95, 0.025, hue));
      paintClouds(ctx, hue, variant, isClosing);
      paintGrain(ctx);
    },
    paintBehind: scene => {
      if (scene.kind === 'body') paintProgress(scene, accent);
      if (scene.kind === 'cover') {
        scene.ctx.fillStyle = accent;
        const first = scene.blocks[0]!;
        scene.ctx.beginPath();
        scene.ctx.roundRect(
          textBox.x + textBox.width / 2 - 48,
          first.baselines[0]! - first.size * 1.05 - 64,
          96,
          14,
          7,
        );
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
    const color = isClosing ? oklch(0.41, 0.12, hue + 300 + turn / 8) : oklch(0.86, 0.09, hue + turn);
    const cloud = ctx.createRadialGradient(x, y, 0, x, y, radius);
    cloud.addColorStop(0, withAlpha(color, 0.95));
    cloud.addColorStop(1, withAlpha(color, 0));
    ctx.fillStyle = cloud;
    ctx.fillRect(0, 0, slideWidth, slideHeight);
  }
}

function paintProgress(scene: Scene, accent: string): void {
  const { ctx, mark } = scene;
  const middle = textBox.x + textBox.width / 2;
  if (mark?.kind === 'item') {
    ctx.font = '800 84px "Hookline manrope 800"';
    ctx.fillStyle = accent;
    ctx.textAlign = 'center';
    ctx.fillText(String(mark.number), middle, 316);
    return;
  }
  if (!mark) return;
  const gap = 40;
  const left = middle - ((mark.total - 1) * gap) / 2;
  for (let i = 0; i < mark.total; i++) {
    const isCurrent = i + 1 === mark.number;
    ctx.fillStyle = withAlpha(accent, isCurrent ? 1 : 0.28);
    ctx.beginPath();
    ctx.roundRect(left + i * gap - (isCurrent ? 16 : 8), 276, isCurrent ? 32 : 16, 16, 8);
    ctx.fill();
  }
}
