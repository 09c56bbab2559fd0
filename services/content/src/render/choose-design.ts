import type { SeededRandom } from '../rules/seeded-random.ts';
import type { Design, DesignSystem } from './design-system.ts';
import { indexCard } from './systems/index-card.ts';
import { nightDesk } from './systems/night-desk.ts';
import { paperNote } from './systems/paper-note.ts';
import { posterBlock } from './systems/poster-block.ts';
import { softMesh } from './systems/soft-mesh.ts';
import { splitField } from './systems/split-field.ts';

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

/** One look for the whole deck: system, hue (within 5 degrees of a chosen one) and variant come from the seed alone. */
export function chooseDesign(random: SeededRandom, archetype: string | undefined): Design {
  const { make, hues } = random.pick(suited[archetype ?? ''] ?? designSystems);
  return make(random.pick(hues) + random.integer(-5, 5), random.integer(0, 2));
}
