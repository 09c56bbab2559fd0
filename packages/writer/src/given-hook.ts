import { similarityOf } from './distinct.ts';
import type { Archetype } from './port.ts';

export type Covered = { readonly hooks: readonly string[] };

/**
 * At or above this similarity a given hook counts as one that a deck was written for, ignoring numbers and
 * audience.
 */
const likenessMin = 0.5;

/** The item with a hook like the given one, so that the deck fulfils it; undefined when there is none. */
export function findByHook<T>(
  items: readonly T[],
  hooksOf: (item: T) => readonly string[],
  given: string,
): T | undefined {
  const wanted = bare(given);
  if (wanted === '') return undefined;
  let best: { item: T; likeness: number } | undefined;
  for (const item of items) {
    const likeness = likenessOf(hooksOf(item), wanted);
    if (likeness >= Math.max(likenessMin, best?.likeness ?? 0) && likeness !== best?.likeness)
      best = { item, likeness };
  }
  return best?.item;
}

/** The archetype of the decks that a given hook was written for; undefined when there are none. */
export function findArchetype(
  decks: Readonly<Record<Archetype, readonly Covered[]>>,
  given: string,
): Archetype | undefined {
  const all = Object.entries(decks) as [Archetype, readonly Covered[]][];
  return findByHook(all, ([, units]) => units.flatMap(({ hooks }) => hooks), given)?.[0];
}

function likenessOf(hooks: readonly string[], wanted: string): number {
  return hooks.reduce((most, hook) => Math.max(most, similarityOf(bare(hook), wanted)), 0);
}

/** The hook without slots and numbers, which differ from deck to deck. */
function bare(hook: string): string {
  return hook
    .replace(/\{\w+\}|\d+/g, '')
    .trim()
    .toLowerCase();
}
