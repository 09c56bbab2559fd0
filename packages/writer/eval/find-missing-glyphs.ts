import type { SlideLayout } from '@hookline/slides/inspect';
import { isEmoji, loadCanvas, slideHeight, slideWidth } from '@hookline/slides/inspect';
import type { Canvas, Image } from '@napi-rs/canvas';

/** A code point that no font covers, so the canvas draws its missing-glyph box. */
const unassigned = '\u{10fffd}';
/**
 * Share of pixels in which a cell and the box must agree. A striped box reaches 0.75 after JPEG, letters at
 * most 0.55.
 */
const agreementMin = 0.65;

const shifts = [-1, 0, 1].flatMap(dx => [-1, 0, 1].map(dy => [dx, dy] as const));

type Mask = { width: number; height: number; isInk: Uint8Array };
type Block = SlideLayout['blocks'][number];

/**
 * The characters of a slide that its finished JPEG shows as a missing-glyph box. Each character's cell is cut
 * out of the picture and compared with that box, drawn in the same fonts and size.
 */
export async function findMissingGlyphs(layout: SlideLayout, jpeg: Buffer): Promise<string[]> {
  const { createCanvas, loadImage } = await loadCanvas();
  const shown = createCanvas(slideWidth, slideHeight);
  const ctx = shown.getContext('2d');
  ctx.drawImage((await loadImage(jpeg)) as Image, 0, 0);
  const found: string[] = [];
  for (const block of layout.blocks) {
    const box = drawBox(createCanvas(Math.ceil(block.size * 2), Math.ceil(block.size * 1.6)), block);
    ctx.font = `${block.weight} ${block.size}px ${block.family}`;
    for (const [i, line] of block.lines.entries()) {
      const startX = layout.textX - startShare(layout) * block.widths[i]!;
      for (const { segment, index } of new Intl.Segmenter().segment(line)) {
        if (!segment.trim() || isEmoji(segment)) continue;
        const x = startX + ctx.measureText(line.slice(0, index)).width;
        const y = block.baselines[i]! - block.size;
        // Text is placed at subpixel positions, the box is not: use the best of nine offsets.
        const agreements = shifts.map(([dx, dy]) =>
          agreementOf(box, cutCell(shown, box, x + dx, y + dy, block.color)),
        );
        if (Math.max(...agreements) >= agreementMin) found.push(segment);
      }
    }
  }
  return found;
}

/** Horizontal position of the drawing point within a line: 0 is the left end, 1 the right end. */
function startShare({ textAlign }: SlideLayout): number {
  return textAlign === 'left' ? 0 : textAlign === 'right' ? 1 : 0.5;
}

function drawBox(canvas: Canvas, block: Block): Mask {
  const ctx = canvas.getContext('2d');
  ctx.font = `${block.weight} ${block.size}px ${block.family}`;
  ctx.fillStyle = '#000000';
  ctx.fillText(unassigned, 0, block.size);
  const width = Math.min(canvas.width, Math.ceil(ctx.measureText(unassigned).width));
  const { data } = ctx.getImageData(0, 0, width, canvas.height);
  const isInk = Uint8Array.from({ length: width * canvas.height }, (_, i) =>
    data[i * 4 + 3]! > 127 ? 1 : 0,
  );
  return { width, height: canvas.height, isInk };
}

/**
 * A pixel is ink when its colour is within 240 (summed over three channels) of the text's colour; no
 * background comes that close.
 */
function cutCell(canvas: Canvas, { width, height }: Mask, x: number, y: number, color: string): Mask {
  const { data } = canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), width, height);
  const wanted = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
  const isInk = Uint8Array.from({ length: width * height }, (_, i) => {
    const distance = wanted.reduce((sum, channel, c) => sum + Math.abs(channel - data[i * 4 + c]!), 0);
    return distance < 240 ? 1 : 0;
  });
  return { width, height, isInk };
}

/** Pixels that are ink in both masks, as a share of those that are ink in either. */
function agreementOf(one: Mask, other: Mask): number {
  let both = 0;
  let either = 0;
  for (const [i, ink] of one.isInk.entries()) {
    both += ink & other.isInk[i]!;
    either += ink | other.isInk[i]!;
  }
  return either === 0 ? 0 : both / either;
}
