import { seedRandom } from '@hookline/deck';
import { describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import { chooseLook, colorsOf, tones } from './choose-look.ts';
import type { BlockRole, Design, SlideKind } from './design.ts';
import { slideHeight, slideWidth, textBox } from './design.ts';
import { type Colors, looks } from './looks.ts';
import { contrastOf } from './palette.ts';

const { createCanvas } = await loadCanvas();
const ctx = createCanvas(slideWidth, slideHeight).getContext('2d');
const hexAt = (data: Uint8ClampedArray, at: number) =>
  `#${[0, 1, 2].map(i => data[at + i]!.toString(16).padStart(2, '0')).join('')}`;

const random = seedRandom('looks', 'colours');
const anyColor = () => `#${random.integer(0, 0xffffff).toString(16).padStart(6, '0')}`;
const brands = Array.from({ length: 400 }, (): Colors => [anyColor(), anyColor()])
  .filter(([one, other]) => contrastOf(one, other) >= 4.5)
  .slice(0, 12);
const hues = Array.from({ length: 12 }, (_, i) => i * 30);
const colors: Colors[] = [
  ...brands,
  ['#ffffff', '#000000'],
  ['#797979', '#000000'],
  ...hues.map((hue, i) => colorsOf(hue, tones[i % 3]!)),
];

const kinds: [SlideKind, BlockRole[]][] = [
  ['cover', ['hook', 'small']],
  ['body', ['number', 'lead', 'large', 'small']],
  ['closing', ['large', 'small']],
];

/** The colours of a slide's background under its text, on a grid of 24 x 24. */
function groundOf(design: Design, kind: SlideKind): Set<string> {
  design.paintBackground(ctx, kind, false);
  const { x, y, width, height } = textBox;
  const { data } = ctx.getImageData(x, y, width, height);
  const steps = Array.from({ length: 24 }, (_, i) => i / 24);
  return new Set(
    steps.flatMap(down =>
      steps.map(right => hexAt(data, (Math.floor(down * height) * width + Math.floor(right * width)) * 4)),
    ),
  );
}

describe.each(Object.entries(looks))('%s', (_, look) => {
  it('keeps a contrast of 4.5 under its letters, in the colours of every hue and of any brand', () => {
    const weak: unknown[] = [];
    for (const pair of colors) {
      const design = look(pair);
      for (const [kind, roles] of kinds) {
        const ground = groundOf(design, kind);
        for (const role of roles) {
          const { color, box } = design.ink(role, kind);
          for (const below of box ? [box] : ground) {
            if (contrastOf(color, below) < 4.5) weak.push([pair, kind, role, color, below]);
          }
        }
      }
    }
    expect(weak).toEqual([]);
  });
});

describe('chooseLook', () => {
  const inkOf = (design: Design) => [
    design.name,
    design.ink('hook', 'cover'),
    design.ink('large', 'closing'),
  ];

  it('gives every deck of an app the same look, and other apps others', () => {
    const chosen = Array.from({ length: 40 }, (_, i) => chooseLook(`app_${i}`, 200));
    expect(chosen.map(inkOf)).toEqual(
      Array.from({ length: 40 }, (_, i) => inkOf(chooseLook(`app_${i}`, 200))),
    );
    expect(new Set(chosen.map(({ name }) => name)).size).toBe(Object.keys(looks).length);
  });

  it('keeps the look of an app when its brand gets colours and a typeface', () => {
    const brand = { colors: ['#102a43', '#ffd166'] as const, fonts: 'manrope' as const };
    for (let i = 0; i < 10; i++) {
      const [plain, branded] = [chooseLook(`app_${i}`, 200), chooseLook(`app_${i}`, 200, brand)];
      expect([branded.name, branded.face.package]).toEqual([plain.name, '@fontsource/manrope']);
    }
  });
});
