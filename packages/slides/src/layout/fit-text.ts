import type { SKRSContext2D } from '@napi-rs/canvas';
import { balanceLines, breakLongPiece, cutPieces, type Piece } from './line-breaks.ts';

/** A run of text in one face. Sizes in px; `lineHeight` as a factor of the size; `family` a CSS font list. */
export type TextBlock = {
  text: string;
  family: string;
  weight: number;
  color: string;
  sizeMax: number;
  sizeMin: number;
  lineHeight: number;
  gapAfter: number;
};

export type FittedBlock = TextBlock & { size: number; lines: string[] };
export type FittedText = { blocks: FittedBlock[]; height: number; scale: number; raggedness: number };

/** Widths are proportional to the size, so every word is measured once, at 100 px. */
export function createMeasure(ctx: SKRSContext2D, block: Pick<TextBlock, 'family' | 'weight'>) {
  const known = new Map<string, number>();
  return (text: string): number => {
    let width = known.get(text);
    if (width === undefined) {
      ctx.font = `${block.weight} 100px ${block.family}`;
      width = ctx.measureText(text).width / 100;
      known.set(text, width);
    }
    return width;
  };
}

/** Text larger than its design's size is for slides with few words; it may fill this share of the height. */
const grownShareMax = 0.6;
/** Below this scale a long word may be hyphenated, if that makes the type at least a fifth larger. */
const hyphenateBelow = 0.8;
const hyphenGainMin = 1.2;

/**
 * The largest common scale at which every block's balanced lines fit the box, in steps of 3 %; null when even
 * the smallest sizes do not fit. Words are never dropped. A long word that would make the type small is
 * hyphenated; a word wider than the box is broken at graphemes, but only at the smallest size.
 */
export function fitText(
  ctx: SKRSContext2D,
  blocks: readonly TextBlock[],
  box: { width: number; height: number },
  language: string,
  scaleMax = 1,
  evenSteps = 7,
): FittedText | null {
  const prepare = (mayHyphenate: boolean) =>
    blocks.map(block => ({
      block,
      pieces: cutPieces(block.text, language, mayHyphenate),
      measure: createMeasure(ctx, block),
    }));
  const whole = fitPrepared(prepare(false), box, scaleMax, evenSteps);
  if (whole && whole.scale >= hyphenateBelow) return whole;
  const cut = prepare(true);
  if (!cut.some(({ pieces }) => pieces.some(({ hyphen }) => hyphen))) return whole;
  const hyphenated = fitPrepared(cut, box, scaleMax, evenSteps);
  return hyphenated && hyphenated.scale >= (whole?.scale ?? 0) * hyphenGainMin ? hyphenated : whole;
}

type PreparedBlock = { block: TextBlock; pieces: Piece[]; measure: (text: string) => number };

function fitPrepared(
  prepared: readonly PreparedBlock[],
  box: { width: number; height: number },
  scaleMax: number,
  evenSteps: number,
): FittedText | null {
  const blocks = prepared.map(({ block }) => block);
  const trySize = (scale: number): FittedText | null => {
    const isSmallest = blocks.every(block => block.sizeMax * scale <= block.sizeMin);
    const fitted: FittedBlock[] = [];
    let raggedness = 0;
    for (const { block, pieces, measure } of prepared) {
      const size = Math.max(block.sizeMin, Math.round(block.sizeMax * scale));
      const lines = setLines(pieces, box.width / size, measure, isSmallest);
      if (!lines) return null;
      raggedness += raggednessOf(lines, measure);
      fitted.push({ ...block, size, lines });
    }
    const height = heightOf(fitted);
    return height <= box.height * (scale > 1 ? grownShareMax : 1)
      ? { blocks: fitted, height, scale, raggedness }
      : null;
  };
  for (let scale = scaleMax; ; scale *= 0.97) {
    const fitted = trySize(scale);
    if (fitted) return evenestBelow(fitted, trySize, evenSteps);
    if (blocks.every(block => block.sizeMax * scale <= block.sizeMin)) return null;
  }
}

/** Trades up to `steps` times 3 % of the size for more even line ends. */
function evenestBelow(
  largest: FittedText,
  trySize: (scale: number) => FittedText | null,
  steps: number,
): FittedText {
  let best = largest;
  const costOf = (fitted: FittedText) =>
    fitted.raggedness +
    (1 - fitted.scale / largest.scale) * 0.45 +
    (fitted.blocks.some(endsInOrphan) ? 0.3 : 0) +
    (fitted.blocks.some(beginsWithOrphan) ? 0.1 : 0);
  // A short last word on its own line is worth up to a third of the size.
  const stepsMax = largest.blocks.some(endsInOrphan) ? 12 : steps;
  for (let step = 1; step <= stepsMax; step++) {
    const smaller = trySize(largest.scale * 0.97 ** step);
    if (smaller && costOf(smaller) < costOf(best)) best = smaller;
  }
  return best;
}

function endsInOrphan({ lines }: FittedBlock): boolean {
  return lines.length > 1 && (lines.at(-1)!.match(/[\p{L}\p{N}]/gu)?.length ?? 0) <= 3;
}

/** True for a single "What" over longer lines; "POV:" is allowed on its own line. */
function beginsWithOrphan({ lines }: FittedBlock): boolean {
  return lines.length > 2 && /^[\p{L}\p{N}]{1,5}$/u.test(lines[0]!);
}

/**
 * Mean squared gap to the widest line, as a share of it; the last line counts half, and a very short one
 * more.
 */
function raggednessOf(lines: readonly string[], measure: (text: string) => number): number {
  if (lines.length === 1) return 0;
  const widths = lines.map(measure);
  const widest = Math.max(...widths);
  const gaps = widths.map((width, i) => {
    const gap = (widest - width) / widest;
    const isLast = i === widths.length - 1;
    return isLast ? (gap > 0.65 ? gap * gap : (gap * gap) / 2) : gap * gap;
  });
  return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}

function setLines(
  pieces: readonly Piece[],
  width: number,
  measure: (text: string) => number,
  mayBreakWords: boolean,
): string[] | null {
  const lines = balanceLines(pieces, width, measure);
  if (lines || !mayBreakWords) return lines;
  const broken = pieces.flatMap(piece =>
    measure(piece.text) > width ? breakLongPiece(piece, text => measure(text) > width) : [piece],
  );
  return balanceLines(broken, width, measure);
}

/** Height in px from the top of the first line to the bottom of the last. */
function heightOf(blocks: readonly FittedBlock[]): number {
  return blocks.reduce(
    (sum, block, i) =>
      sum + block.lines.length * block.size * block.lineHeight + (i < blocks.length - 1 ? block.gapAfter : 0),
    0,
  );
}
