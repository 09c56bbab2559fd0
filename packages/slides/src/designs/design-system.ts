import type { SKRSContext2D } from '@napi-rs/canvas';
import type { FittedBlock } from '../layout/fit-text.ts';
import type { Face } from '../layout/fonts.ts';
import { inkOn } from './palette.ts';
import { slideHeight, slideWidth } from './slide-size.ts';

export { slideHeight, slideWidth };

/**
 * The area free of the platform's buttons and captions: 220 px from the top, 480 from the bottom, 156 on the
 * right.
 */
export const textBox = { x: 84, y: 220, width: 840, height: 1220 };

export type SlideKind = 'cover' | 'body' | 'closing';
/** "3" of a counted list, or "3 / 7" of a deck; a deck never has both. */
export type SlideMark = { kind: 'item'; number: number } | { kind: 'page'; number: number; total: number };

export type BlockRole = 'hook' | 'lead' | 'detail' | 'statement' | 'closing';
export type BlockStyle = {
  face: 'display' | 'text';
  weight: number;
  color: string;
  sizeMax: number;
  sizeMin: number;
  lineHeight: number;
  gapAfter: number;
  uppercase?: boolean;
};

/** A block with the position of its lines: `baselines` in px from the top of the slide. */
export type PlacedBlock = FittedBlock & { role: BlockRole; baselines: number[]; widths: number[] };

/**
 * The surface a system paints on: `top` is where the text begins in px, `startX` is the edge where lines
 * begin (the right one in right-to-left scripts).
 */
export type Scene = {
  ctx: SKRSContext2D;
  kind: SlideKind;
  mark: SlideMark | null;
  blocks: PlacedBlock[];
  top: number;
  startX: number;
  isRtl: boolean;
};

/** A look for a whole deck, with its colours chosen. */
export type Design = {
  name: string;
  display: Face;
  text: Face;
  /** The faces of its marks, where they are others. */
  markFaces?: readonly Face[];
  align: 'start' | 'center';
  /**
   * Vertical extent of the text in px, and its alignment: from the top, in the middle, or (body slides) all
   * from one height, which puts most of them near the middle; `bottom`: ends at the lower edge.
   */
  area: (kind: SlideKind) => { top: number; height: number; place: 'top' | 'middle' | 'bottom' | 'shared' };
  style: (role: BlockRole, kind: SlideKind) => BlockStyle;
  /** Its background is a colour or two: painting it again costs less than a copy of 8 MB. */
  isPlain?: boolean;
  paintBackground: (ctx: SKRSContext2D, kind: SlideKind, isRtl: boolean) => void;
  /** Drawn over the background and under the text: markers, rules, numerals. */
  paintBehind: (scene: Scene) => void;
};

/** Makes a design from a hue (degrees) and a variant (0 to 2) that varies its look from deck to deck. */
export type DesignSystem = (hue: number, variant: number) => Design;

/** Fills the whole slide. */
export function fillSlide(ctx: SKRSContext2D, color: string): void {
  ctx.fillStyle = color;
  ctx.fillRect(0, 0, slideWidth, slideHeight);
}

/** x of a shape of `width` px that begins at the text's edge, `offset` px further in. */
export function edgeX(scene: Scene, width: number, offset = 0): number {
  return scene.isRtl ? scene.startX - offset - width : scene.startX + offset;
}

/** A short thick line over the text, `gap` px above where it begins. */
export function paintRule(scene: Scene, color: string, gap = 70): void {
  scene.ctx.fillStyle = color;
  scene.ctx.fillRect(edgeX(scene, 140), scene.top - gap, 140, 18);
}

/** Draws a short text of the design (marks only) at the edge where lines begin. */
export function drawMarkText(scene: Scene, text: string, font: string, color: string, y: number): void {
  const { ctx } = scene;
  ctx.font = font;
  ctx.fillStyle = color;
  ctx.textAlign = scene.isRtl ? 'right' : 'left';
  ctx.fillText(text, scene.startX, y);
}

/**
 * A number in a rounded square at the text's edge, drawn in the colour of ink on the square. `above` and
 * `baseline` are px above where the text begins.
 */
export function paintNumberTile(
  scene: Scene,
  number: number,
  color: string,
  tile: { side: number; radius: number; above: number; font: string; baseline: number },
): void {
  const { ctx, top } = scene;
  const x = edgeX(scene, tile.side);
  ctx.fillStyle = color;
  ctx.beginPath();
  ctx.roundRect(x, top - tile.above, tile.side, tile.side, tile.radius);
  ctx.fill();
  ctx.font = tile.font;
  ctx.fillStyle = inkOn(color);
  ctx.textAlign = 'center';
  ctx.fillText(String(number), x + tile.side / 2, top - tile.baseline);
}

/** "03 / 07" or "3", for systems that show marks as text. */
export function markLabel(mark: SlideMark): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  return mark.kind === 'item' ? String(mark.number) : `${pad(mark.number)} / ${pad(mark.total)}`;
}
