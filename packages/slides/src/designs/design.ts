import type { Slide } from '@hookline/deck';
import { uncovered } from '@hookline/deck/uncovered';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { FittedBlock } from '../layout/fit-text.ts';
import type { Face } from '../layout/fonts.ts';
import type { Ink } from './ink.ts';
import { slideHeight, slideWidth } from './slide-size.ts';

export { slideHeight, slideWidth };

/** Where text may be: what the platform covers nowhere, less room for accents above and an edge below. */
const textTop = uncovered.top + 20;
export const textBox = {
  x: 64,
  y: textTop,
  width: uncovered.end - 64,
  height: uncovered.bottom - 10 - textTop,
};

export type SlideKind = Slide['kind'];

/** `lead` is the label or first sentence over more text; `small` is what exceeds 14 words. */
export type BlockRole = 'number' | 'hook' | 'lead' | 'large' | 'small';

/** A block with the position of its lines: `baselines` in px from the top of the slide. */
export type PlacedBlock = FittedBlock & { role: BlockRole; baselines: number[]; widths: number[] };

/**
 * The surface a design paints on: `startX` is the edge where lines begin (the right one in right-to-left
 * scripts).
 */
export type Scene = {
  ctx: SKRSContext2D;
  kind: SlideKind;
  blocks: readonly PlacedBlock[];
  startX: number;
  isRtl: boolean;
};

/** A look for a whole deck, with its colours chosen. Everything it writes has the weight of one face. */
export type Design = {
  name: string;
  face: Face;
  align: 'start' | 'center';
  uppercase?: boolean;
  /** The size of a hook; the other sizes follow from `sizeOf`. */
  hookSize: number;
  lineHeight: number;
  ink: (role: BlockRole, kind: SlideKind) => Ink;
  /** Its background is a colour or two: painting it again costs less than a copy of 8 MB. */
  isPlain?: boolean;
  paintBackground: (ctx: SKRSContext2D, kind: SlideKind, isRtl: boolean) => void;
  /** Drawn over the background and under the text. */
  paintBehind?: (scene: Scene) => void;
};

/** The smallest type of a slide. */
export const sizeMin = 46;

/** The end of a cover's sentence is read with its start. */
const smallOf: Record<SlideKind, number> = { cover: 0.72, body: 0.58, closing: 0.5 };

export function sizeOf({ hookSize }: Design, role: BlockRole, kind: SlideKind): number {
  if (role === 'hook' || role === 'number') return hookSize;
  if (role === 'small') return Math.max(sizeMin, Math.round(hookSize * smallOf[kind]));
  return Math.round(hookSize * 0.8);
}

/** Fills the whole slide. */
export function fillSlide(ctx: SKRSContext2D, color: SKRSContext2D['fillStyle']): void {
  ctx.fillStyle = color;
  ctx.fillRect(0, 0, slideWidth, slideHeight);
}

/** x of a shape of `width` px that begins at the text's edge, `offset` px further in. */
export function edgeX(scene: Scene, width: number, offset = 0): number {
  return scene.isRtl ? scene.startX - offset - width : scene.startX + offset;
}
