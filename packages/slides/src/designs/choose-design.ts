import type { SeededRandom } from '@hookline/deck';
import type { Design, DesignSystem } from './design-system.ts';
import { indexCard } from './index-card.ts';
import { nightDesk } from './night-desk.ts';
import { paperNote } from './paper-note.ts';
import { posterBlock } from './poster-block.ts';
import { softMesh } from './soft-mesh.ts';
import { splitField } from './split-field.ts';

/** Hues in OKLCH degrees that stay clean as strong fields: yellow to olive (60 to 140) turns brown there. */
const fieldHues = [8, 22, 150, 170, 200, 228, 255, 275, 298, 322, 348];
const paperHues = [...fieldHues, 50, 75, 92, 130];

type SystemChoice = { make: DesignSystem; hues: readonly number[] };

const systems = {
  paperNote: { make: paperNote, hues: paperHues },
  posterBlock: { make: posterBlock, hues: fieldHues },
  nightDesk: { make: nightDesk, hues: [...fieldHues, 75, 92] },
  indexCard: { make: indexCard, hues: paperHues },
  softMesh: { make: softMesh, hues: [8, 40, 170, 200, 228, 255, 298, 322, 348] },
  splitField: { make: splitField, hues: [8, 22, 150, 170, 200, 228, 255, 275, 298, 322] },
} satisfies Record<string, SystemChoice>;

export const designSystems: readonly SystemChoice[] = Object.values(systems);

const { paperNote: paper, posterBlock: poster, nightDesk: night, indexCard: card } = systems;
const { softMesh: mesh, splitField: split } = systems;

/** The systems that suit the voice of an archetype; any system for a deck without one. */
const suited: Record<string, readonly SystemChoice[]> = {
  listicle: [paper, poster, card, night],
  transformation: [split, card, night],
  pov_results: [mesh, night, split],
  authority: [night, card, poster],
  motivational: [paper, mesh, split],
};

/** Hues this close (in degrees) still read as the app's colour. */
const sameColour = 30;

/**
 * One look for the whole deck. The system and its variant come from the seed. The hue (within 5 degrees of
 * one that is clean in that system) is the nearest to `brandHue` when known, so that decks of an app look
 * related; otherwise it comes from the seed too.
 */
export function chooseDesign(
  random: SeededRandom,
  archetype: string | undefined,
  brandHue: number | null = null,
): Design {
  const fitting = suited[archetype ?? ''] ?? designSystems;
  if (brandHue === null) {
    const { make, hues } = random.pick(fitting);
    return make(random.pick(hues) + random.integer(-5, 5), random.integer(0, 2));
  }
  const near = fitting.filter(({ hues }) => distanceOf(nearestOf(hues, brandHue), brandHue) <= sameColour);
  const { make, hues } = random.pick(near.length > 0 ? near : fitting);
  return make(nearestOf(hues, brandHue) + random.integer(-5, 5), random.integer(0, 2));
}

/** Degrees between two hues, 0 to 180. */
function distanceOf(one: number, other: number): number {
  const turn = Math.abs(one - other) % 360;
  return Math.min(turn, 360 - turn);
}

function nearestOf(hues: readonly number[], hue: number): number {
  return hues.reduce((best, other) => (distanceOf(other, hue) < distanceOf(best, hue) ? other : best));
}
