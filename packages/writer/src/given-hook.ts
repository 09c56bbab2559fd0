import { similarityOf } from './distinct.ts';
import type { Archetype } from './port.ts';

export type Covered = { readonly hooks: readonly string[] };

/** From this likeness on, a given hook is taken for one that a deck was written for, whatever its number and its people. */
const likenessMin = 0.5;

/** What has a hook like the given one, so that the deck keeps what the hook promises; undefined when nothing has. */
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

/** The archetype of the decks that a given hook was written for; undefined when it was written for none of them. */
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

/** Without slots and numbers, which differ from deck to deck. */
function bare(hook: string): string {
  return hook
    .replace(/\{\w+\}|\d+/g, '')
    .trim()
    .toLowerCase();
}
