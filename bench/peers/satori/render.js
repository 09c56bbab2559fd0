// Renders a deck with satori, resvg-js and sharp: JSX-like tree -> SVG -> pixels -> JPEG. One deck per line
// on stdin.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';

const require = createRequire(import.meta.url);
const font = weight => ({
  name: 'Inter',
  weight,
  style: 'normal',
  data: readFileSync(require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`)),
});
const fonts = [font(400), font(800)];
const [width, height] = [1080, 1920];
const quality = 88;
sharp.concurrency(1);

const box = (style, children) => ({ type: 'div', props: { style: { display: 'flex', ...style }, children } });

function slideTree({ text, mark }, isCover) {
  return box(
    {
      width,
      height,
      padding: 96,
      flexDirection: 'column',
      justifyContent: 'center',
      backgroundImage: 'linear-gradient(160deg, #f6f1e7, #e9dfcc)',
      color: '#22201c',
      fontFamily: 'Inter',
    },
    [
      box({ fontSize: 40, fontWeight: 400, marginBottom: 48 }, mark),
      box({ fontSize: isCover ? 112 : 84, fontWeight: 800, lineHeight: 1.15 }, text),
      box({ width: 160, height: 12, marginTop: 64, backgroundColor: '#c2542d' }, ''),
    ],
  );
}

async function renderDeck(slides) {
  const images = [];
  const slideMs = [];
  for (const [index, slide] of slides.entries()) {
    const beganMs = performance.now();
    const svg = await satori(slideTree(slide, index === 0), { width, height, fonts });
    const rendered = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
    const raw = { raw: { width: rendered.width, height: rendered.height, channels: 4 } };
    images.push(await sharp(rendered.pixels, raw).removeAlpha().jpeg({ quality }).toBuffer());
    slideMs.push(performance.now() - beganMs);
  }
  return { slideMs, bytes: images.map(image => image.length), sizes: images.map(() => `${width}x${height}`) };
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await renderDeck(JSON.parse(line))));
