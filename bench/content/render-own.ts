/** A deck as the content service draws it. One deck per line on stdin. */
import { createInterface } from 'node:readline';
import { renderDeck } from '@hookline/slides/inspect';
import type { SlideText } from './render.ts';

let count = 0;

async function draw(slides: SlideText[]): Promise<unknown> {
  count += 1;
  const last = slides.length - 1;
  const beganMs = performance.now();
  const rendered = await renderDeck({
    slides: slides.map(({ text }, index) => ({
      kind: index === 0 ? 'cover' : index === last ? 'closing' : 'body',
      text,
    })),
    // A different seed each time, to cycle through the designs.
    seed: `bench-${count}`,
  });
  const slideMs = (performance.now() - beganMs) / slides.length;
  return {
    slideMs: slides.map(() => slideMs),
    bytes: rendered.map(slide => slide.bytes.length),
    sizes: rendered.map(slide => `${slide.width}x${slide.height}`),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await draw(JSON.parse(line) as SlideText[]))}\n`);
}
