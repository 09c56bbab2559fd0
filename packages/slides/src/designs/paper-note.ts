import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  type Design,
  drawMarkText,
  edgeX,
  fillSlide,
  markLabel,
  paintRule,
  type Scene,
  type SlideKind,
  slideHeight,
  slideWidth,
} from './design-system.ts';
import { paintGrain } from './grain.ts';
import { oklch } from './palette.ts';

/** Warm paper, a serif, a marker stroke under the last line of the hook, hills along the bottom. */
export function paperNote(hue: number, variant: number): Design {
  const paper = oklch(0.965, 0.02, hue);
  const ink = oklch(0.24, 0.05, hue);
  const accent = oklch(0.5, 0.16, hue);
  const marker = oklch(0.85, 0.13, hue + (variant === 1 ? 60 : 0));
  // Warm hues turn brown as a dark field, so they stay near ink there.
  const isWarm = hue > 35 && hue < 135;
  const deep = isWarm ? oklch(0.27, 0.03, hue) : oklch(0.36, 0.09, hue);
  return {
    name: 'paper-note',
    display: { package: '@fontsource/fraunces', weight: 700 },
    text: { package: '@fontsource/newsreader', weight: 500 },
    align: 'start',
    area: kind =>
      kind === 'body'
        ? { top: 480, height: 940, place: 'shared' }
        : { top: 300, height: 1020, place: 'middle' },
    style: (role, kind) => {
      const isDisplay = role !== 'detail';
      return {
        face: isDisplay ? 'display' : 'text',
        weight: isDisplay ? 700 : 500,
        color: kind === 'closing' ? paper : ink,
        sizeMax: { hook: 168, lead: 116, detail: 96, statement: 116, closing: 108 }[role],
        sizeMin: 46,
        lineHeight: { hook: 1.08, lead: 1.12, detail: 1.34, statement: 1.24, closing: 1.18 }[role],
        gapAfter: role === 'lead' ? 36 : 0,
      };
    },
    paintBackground: (ctx, kind) => {
      fillSlide(ctx, kind === 'closing' ? deep : paper);
      const tints =
        kind === 'closing'
          ? isWarm
            ? [oklch(0.33, 0.035, hue), oklch(0.8, 0.13, hue)]
            : [oklch(0.42, 0.1, hue), oklch(0.48, 0.11, hue)]
          : [oklch(0.91, 0.05, hue), oklch(0.84, 0.085, hue)];
      paintHills(ctx, tints as [string, string], kind, variant);
      paintGrain(ctx);
    },
    paintBehind: scene => {
      if (scene.kind === 'cover') paintMarker(scene, marker);
      if (scene.kind === 'body') paintMark(scene, accent);
      if (scene.kind === 'closing') paintRule(scene, marker);
    },
  };
}

function paintHills(ctx: SKRSContext2D, tints: [string, string], kind: SlideKind, variant: number): void {
  const lift = kind === 'cover' ? 60 : 0;
  const lean = variant === 2 ? -1 : 1;
  for (const [i, tint] of tints.entries()) {
    const base = 1600 + i * 120 - lift;
    const swing = 130 * lean * (i === 0 ? 1 : -1);
    ctx.fillStyle = tint;
    ctx.beginPath();
    ctx.moveTo(0, base + swing);
    ctx.bezierCurveTo(320, base - 150 + swing, 700, base + 190 - swing, slideWidth, base - swing);
    ctx.lineTo(slideWidth, slideHeight);
    ctx.lineTo(0, slideHeight);
    ctx.fill();
  }
}

function paintMarker(scene: Scene, color: string): void {
  const block = scene.blocks.at(-1)!;
  const { ctx } = scene;
  const y = block.baselines.at(-1)!;
  const width = block.widths.at(-1)! + 36;
  const x = edgeX(scene, width, -18);
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.moveTo(x, y - block.size * 0.62);
  ctx.lineTo(x + width, y - block.size * 0.68);
  ctx.lineTo(x + width + 8, y + block.size * 0.18);
  ctx.lineTo(x - 6, y + block.size * 0.24);
  ctx.fill();
}

function paintMark(scene: Scene, accent: string): void {
  const { mark } = scene;
  if (!mark) {
    paintRule(scene, accent, 90);
    return;
  }
  const size = mark.kind === 'item' ? 240 : 68;
  drawMarkText(scene, markLabel(mark), `700 ${size}px "Hookline fraunces 700"`, accent, scene.top - 70);
}
