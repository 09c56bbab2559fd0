import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random draws that depend only on the seed and the purpose, not on draws made elsewhere. */
export type SeededRandom = {
  /** A whole number from `min` to `max`, both included. */
  integer: (min: number, max: number) => number;
  /** One of the items; throws on an empty list. */
  pick: <T>(items: readonly T[]) => T;
  /** A shuffled copy. */
  shuffle: <T>(items: readonly T[]) => T[];
};

/** One generator per purpose, so that a new template in one place does not reshuffle another. */
export function seedRandom(seed: string, purpose: string): SeededRandom {
  const digest = createHash('sha256').update(`${seed}\u0000${purpose}`).digest();
  const generator = xoroshiro128plus(digest.readInt32BE(0));
  const integer = (min: number, max: number) => uniformInt(generator, min, max);
  return {
    integer,
    pick: items => {
      if (items.length === 0) throw new Error(`nothing to pick from for ${purpose}`);
      return items[integer(0, items.length - 1)]!;
    },
    shuffle: items => {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = integer(0, i);
        [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
      }
      return shuffled;
    },
  };
}
