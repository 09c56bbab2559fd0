import { loadCanvas, planSlides, type RenderedSlide, textBox } from '@hookline/slides/inspect';
import { type GalleryDeck, toRender } from './decks.ts';
import type { Judgement } from './judge.ts';
import { readInk } from './read-ink.ts';

/** Questions 17 and 18, answered from the finished JPEG files and the lines set on them. */
export async function judgePictures(
  deck: GalleryDeck,
  slides: readonly RenderedSlide[],
): Promise<Judgement[]> {
  const { createCanvas } = await loadCanvas();
  const planned = await planSlides(toRender(deck), createCanvas(8, 8));
  const inks = await readInk(planned, slides);
  const worst = Math.min(...inks.map(({ contrast }) => contrast));
  const outside = inks.findIndex(({ outsideShare }) => outsideShare > 0);
  const blocks = planned.layouts.flatMap(layout => layout.blocks);
  const small = blocks.find(({ size }) => size < 46);
  const wide = blocks.find(({ widths }) => widths.some(width => width > textBox.width + 1));
  const orphan = blocks.find(
    ({ lines }) => lines.length > 1 && [...lines.at(-1)!.trim()].length <= 3 && /\p{L}/u.test(lines.at(-1)!),
  );
  const split = blocks.find(({ lines }) => lines.slice(0, -1).some(line => /(?:^|\s)\d+$/.test(line)));
  return [
    { question: 17, about: 'contrast of 4.5 on the pixels', fault: worst < 4.5 ? worst.toFixed(2) : null },
    {
      question: 17,
      about: 'text inside its box, 46 px or more, no symbol missing',
      fault:
        outside >= 0
          ? `slide ${outside + 1} has ink outside`
          : (small?.text ??
            wide?.text ??
            (slides.some(({ dropped }) => dropped.length > 0) ? 'dropped' : null)),
    },
    {
      question: 18,
      about: 'no orphan word, no number apart from its noun',
      fault: orphan?.lines.join(' / ') ?? split?.lines.join(' / ') ?? null,
    },
  ];
}
