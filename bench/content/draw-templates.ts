/**
 * CPU of a deck of six slides in every template, each in turn, with pictures as they are stored: three photos
 * that fill a slide, three screenshots of 1290 x 2796 px. `node bench/content/draw-templates.ts [rounds]`
 */
import { cpuUsage } from 'node:process';
import { renderDeck } from '@hookline/slides/inspect';
import { loadSharp } from '../../packages/slides/src/sharp.ts';
import { type Figure, figureOf } from '../harness/figures.ts';
import { deckTexts } from './deck-texts.ts';

export const drawnTemplates = ['quote-card', 'photo-card', 'screenshot-card'] as const;
type Template = (typeof drawnTemplates)[number];

/** A soft picture with the noise of a camera: what JPEG decoders and encoders meet in practice. */
async function makePicture(width: number, height: number, seed: number): Promise<Buffer> {
  const sharp = await loadSharp();
  const cells = Buffer.from(Array.from({ length: 12 * 20 * 3 }, (_, i) => (i * 7919 * (seed + 3)) % 256));
  const soft = await sharp(cells, { raw: { width: 12, height: 20, channels: 3 } })
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const noise = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 9 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return await sharp(soft)
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

type TemplateTable = Record<Template, { cpuMsPerDeck: Figure }>;

/** A round draws four decks of each template. */
export async function measureTemplates(rounds: number): Promise<TemplateTable> {
  const photos = await Promise.all([1, 2, 3].map(seed => makePicture(1440, 1920, seed)));
  const screens = await Promise.all([4, 5, 6].map(seed => makePicture(1290, 2796, seed)));
  const draw = (template: Template, seed: string) =>
    renderDeck({
      slides: deckTexts.map((text, i) => ({
        kind: i === 0 ? 'cover' : i === deckTexts.length - 1 ? 'closing' : 'body',
        text,
      })),
      seed,
      template,
      pictures: template === 'photo-card' ? photos : template === 'screenshot-card' ? screens : undefined,
    });
  const decks = 4;
  const times: Record<Template, number[]> = { 'quote-card': [], 'photo-card': [], 'screenshot-card': [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const template of drawnTemplates) {
      const before = cpuUsage();
      for (let i = 0; i < decks; i += 1) await draw(template, `bench-${round * decks + i}`);
      const { user, system } = cpuUsage(before);
      if (round >= 0) times[template].push((user + system) / 1000 / decks);
    }
  }
  return Object.fromEntries(
    drawnTemplates.map(name => [name, { cpuMsPerDeck: figureOf(times[name]) }]),
  ) as TemplateTable;
}

if (import.meta.main) {
  const measured = await measureTemplates(Number(process.argv[2] ?? 5));
  for (const [name, { cpuMsPerDeck }] of Object.entries(measured)) {
    const { median, min, max } = cpuMsPerDeck;
    console.log(`${name}: ${median.toFixed(0)} ms (${min.toFixed(0)} – ${max.toFixed(0)})`);
  }
  const [quote, photo, screen] = drawnTemplates.map(name => measured[name].cpuMsPerDeck.median) as [
    number,
    number,
    number,
  ];
  console.log(
    `of quote-card: photo-card ${(photo / quote).toFixed(2)}, screenshot-card ${(screen / quote).toFixed(2)}`,
  );
}
