import type { SeededRandom } from '@hookline/deck';
import type { Material } from '../listing/material.ts';
import type { Archetype } from '../port.ts';

export type ListingRequest = {
  archetype: Archetype;
  count: number;
  material: Material;
  language: string;
  random: SeededRandom;
  /** A given hook or topic, lower case; empty when there is none. */
  focus: string;
  /** Filler for when the listing has no more to say. */
  advice: Iterable<string>;
  lines: readonly string[];
};
