import type { Slide } from '@hookline/deck';
import { loadCanvas } from '../canvas.ts';
import { renderOnThread } from '../render-thread.ts';
import { type TemplateId, templates } from './templates.ts';

const slides: Slide[] = [
  { kind: 'cover', text: '3 small things for a slow morning' },
  { kind: 'body', text: 'Open the window first. The day is already out there.' },
  { kind: 'closing', text: 'Pebblo keeps the list short.' },
];

/** Names of the sample images of a template, in the order of the slides. */
export function sampleNames(template: TemplateId): string[] {
  return slides.map((_, index) => `${template}-${index + 1}.jpg`);
}

/** Draws a sample deck of every template. @returns the JPEGs by name */
export async function renderSamples(): Promise<Map<string, Buffer>> {
  const hills = await drawHills();
  const pictures = {
    'quote-card': [],
    'photo-card': [hills],
    'screenshot-card': [await drawScreen()],
  };
  const images = new Map<string, Buffer>();
  for (const { id } of templates) {
    if (id === 'picture') {
      for (const name of sampleNames(id)) images.set(name, hills);
      continue;
    }
    const deck = { slides, seed: 'sample', brandHue: 228, template: id, pictures: pictures[id] };
    const rendered = await renderOnThread(deck);
    for (const [at, name] of sampleNames(id).entries()) images.set(name, rendered[at]!.bytes);
  }
  return images;
}

/** Hills in the morning: a stand-in for a photo. */
async function drawHills(): Promise<Buffer> {
  const [width, height] = [1080, 1920];
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  const sky = ctx.createLinearGradient(0, 0, 0, height);
  for (const [at, color] of [
    [0, '#ffe3b3'],
    [0.35, '#f7a072'],
    [0.7, '#8a5a83'],
  ] as const) {
    sky.addColorStop(at, color);
  }
  ctx.fillStyle = sky;
  ctx.fillRect(0, 0, width, height);
  ctx.fillStyle = '#fff6dd';
  ctx.beginPath();
  ctx.arc(770, 560, 120, 0, Math.PI * 2);
  ctx.fill();
  for (const [row, color] of ['#7a5580', '#54406b', '#382f52', '#211d36'].entries()) {
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.moveTo(0, height);
    for (let x = 0; x <= width; x += 12) {
      ctx.lineTo(x, 900 + row * 210 + Math.sin(x / (130 + row * 45) + row * 2.1) * (90 - row * 8));
    }
    ctx.lineTo(width, height);
    ctx.fill();
  }
  return await canvas.encode('jpeg', 90);
}

/** A screen of a made-up app. */
async function drawScreen(): Promise<Buffer> {
  const [width, height] = [540, 1170];
  const { createCanvas } = await loadCanvas();
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  const box = (color: string, x: number, y: number, w: number, h: number, radius = 24) => {
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    ctx.fill();
  };
  box('#f4f6fa', 0, 0, width, height, 0);
  box('#15294b', 40, 110, 250, 40, 12);
  box('#8e9bb3', 40, 168, 170, 22, 8);
  const colors = ['#4c8df6', '#f6a54c', '#49b98a', '#b07cf0', '#ef6f7c'];
  for (const [row, color] of colors.entries()) {
    const y = 240 + row * 168;
    box('#ffffff', 40, y, 460, 144);
    box(color, 64, y + 36, 72, 72, 36);
    box('#22345a', 164, y + 44, 150 + ((row * 53) % 120), 22, 8);
    box('#c3cbd9', 164, y + 82, 120 + ((row * 71) % 150), 18, 8);
  }
  return await canvas.encode('png');
}
