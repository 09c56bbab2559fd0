import type { SKRSContext2D } from '@napi-rs/canvas';
import { edgesOf, type Ink } from '../designs/ink.ts';
import { balanceLines, breakLongPiece, cutPieces, type Piece } from './line-breaks.ts';

/** A run of text in one face. Sizes in px; `lineHeight` as a factor of the size; `family` a CSS font list. */
export type TextBlock = Ink & {
  text: string;
  family: string;
  weight: number;
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

/**
 * The largest common scale at which every block's balanced lines fit the box, in steps of 3 %, less up to
 * `evenSteps` that are traded for even lines; null when even the smallest sizes do not fit. Words are never dropped or
 * hyphenated: one wider than the box makes the type smaller, and is broken at graphemes only at the smallest
 * size.
 */
export function fitText(
  ctx: SKRSContext2D,
  blocks: readonly TextBlock[],
  box: { width: number; height: number },
  language: string,
  scaleMax = 1,
  evenSteps = 9,
): FittedText | null {
  const prepared = blocks.map(block => ({
    block,
    pieces: cutPieces(block.text, language),
    measure: createMeasure(ctx, block),
  }));
  const isSmallest = (scale: number) => blocks.every(block => block.sizeMax * scale <= block.sizeMin);
  const trySize = (scale: number): FittedText | null => {
    const heightMax = box.height * (scale > 1 ? grownShareMax : 1);
    const fitted: FittedBlock[] = [];
    let raggedness = 0;
    for (const { block, pieces, measure } of prepared) {
      const size = Math.max(block.sizeMin, Math.round(block.sizeMax * scale));
      const room = {
        width: box.width / size - edgesOf(block),
        linesMax: Math.ceil((heightMax - heightOf(fitted)) / (size * block.lineHeight)),
      };
      const set = setLines(pieces, room, measure, isSmallest(scale));
      if (!set) return null;
      raggedness += raggednessOf(set.lines, measure) + set.penalty * 0.12;
      fitted.push({ ...block, size, lines: set.lines });
    }
    const height = heightOf(fitted);
    return height <= heightMax ? { blocks: fitted, height, scale, raggedness } : null;
  };
  for (let scale = scaleMax; ; scale *= 0.97) {
    const fitted = trySize(scale);
    if (fitted) return evenestBelow(fitted, trySize, evenSteps);
    if (isSmallest(scale)) return null;
  }
}

/** Type that is this small already gives little more for even lines. */
const evenScaleMin = 0.65;
/** What a word alone on a line adds to the raggedness, and the steps more that are tried to have none. */
const loneCost = 0.4;
const loneSteps = 3;

function evenestBelow(
  largest: FittedText,
  trySize: (scale: number) => FittedText | null,
  evenSteps: number,
): FittedText {
  let best = largest;
  const costOf = ({ raggedness, scale }: FittedText) => raggedness + (1 - scale / largest.scale) * 0.5;
  for (let step = 1; costOf(best) > step * 0.0135; step++) {
    if (step > evenSteps + (best.raggedness > loneCost ? loneSteps : 0)) break;
    const scale = largest.scale * 0.97 ** step;
    if (step > 3 && scale < evenScaleMin) break;
    const smaller = trySize(scale);
    if (smaller && costOf(smaller) < costOf(best)) best = smaller;
  }
  return best;
}

/** A word that is alone between two lines leaves at most this share of the widest one empty. */
const loneGapMax = 0.25;

/**
 * Mean squared gap to the widest line, as a share of it, and the worst one again: one short line among long
 * ones looks like a mistake. A last line may be shorter, but no line is a word of a few letters.
 */
function raggednessOf(lines: readonly string[], measure: (text: string) => number): number {
  if (lines.length === 1) return 0;
  const widths = lines.map(measure);
  const widest = Math.max(...widths);
  const gaps = widths.map((width, i) => {
    const gap = (widest - width) / widest;
    return i === widths.length - 1 && gap < 0.65 ? (gap * gap) / 2 : gap * gap;
  });
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const isOrphan = (line: string, i: number) =>
    !/\s/u.test(line.trim()) &&
    (lettersOf(line) <= 5 || (i > 0 && i < lines.length - 1 && gaps[i]! > loneGapMax ** 2));
  return mean + Math.max(...gaps) * 0.6 + (lines.some(isOrphan) ? loneCost : 0);
}

function lettersOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function setLines(
  pieces: readonly Piece[],
  { width, linesMax }: { width: number; linesMax: number },
  measure: (text: string) => number,
  mayBreakWords: boolean,
): ReturnType<typeof balanceLines> {
  const set = balanceLines(pieces, width, measure, linesMax);
  if (set || !mayBreakWords) return set;
  const broken = pieces.flatMap(piece =>
    measure(piece.text) > width ? breakLongPiece(piece, width, measure) : [piece],
  );
  return balanceLines(broken, width, measure, linesMax);
}

/** Height in px from the top of the first line to the bottom of the last. */
function heightOf(blocks: readonly FittedBlock[]): number {
  return blocks.reduce(
    (sum, block, i) =>
      sum + block.lines.length * block.size * block.lineHeight + (i < blocks.length - 1 ? block.gapAfter : 0),
    0,
  );
}
