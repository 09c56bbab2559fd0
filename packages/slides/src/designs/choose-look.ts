import { seedRandom } from '@hookline/deck';
import type { DeckBrand } from '../deck-to-render.ts';
import type { Design } from './design.ts';
import { fontPairs } from './font-pairs.ts';
import { type Colors, looks } from './looks.ts';
import { oklch } from './palette.ts';

/** Hues in OKLCH degrees of apps whose icon has none. */
const hues = [8, 22, 40, 95, 150, 170, 200, 228, 255, 275, 298, 322, 348];

export const tones = ['strong', 'dark', 'light'] as const;

/** Two colours of one hue that are readable on each other. */
export function colorsOf(hue: number, tone: (typeof tones)[number]): Colors {
  // Dark yellow is brown, so yellow stays bright, on or under black.
  if (hue > 50 && hue < 140) {
    const [yellow, black] = [oklch(0.88, 0.17, hue), oklch(0.2, 0.02, hue)];
    return tone === 'dark' ? [black, yellow] : [yellow, black];
  }
  if (tone === 'light') return [oklch(0.96, 0.035, hue), oklch(0.48, 0.2, hue)];
  if (tone === 'dark') return [oklch(0.2, 0.045, hue), oklch(0.86, 0.14, hue)];
  return [oklch(0.43, 0.16, hue), oklch(0.92, 0.11, (hue + 150) % 360)];
}

/**
 * The look of an app: every deck of the same `seed` has it, so that an account is recognised. The brand's
 * colours and typeface replace those that the seed and the icon would give.
 */
export function chooseLook(seed: string, hue: number | null = null, brand?: DeckBrand): Design {
  const random = seedRandom(seed, 'look');
  const look = random.pick(Object.values(looks));
  const colors = colorsOf(hue ?? random.pick(hues), random.pick(tones));
  const design = look(brand?.colors ?? colors);
  return brand?.fonts ? { ...design, face: fontPairs[brand.fonts] } : design;
}
