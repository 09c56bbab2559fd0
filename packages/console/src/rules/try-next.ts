import type { DeckComparison } from '../types.ts';

export type Advice = { why: 'better' | 'unknown'; row: DeckComparison };

/** What a person can choose for the next deck. */
const chosen: readonly DeckComparison['of'][] = ['archetype', 'template', 'weekday', 'hour'];

/** More of what is shown to be better; and of what is not known, that which may be best. */
export function tryNext(rows: readonly DeckComparison[]): Advice[] {
  const open = rows.filter(({ of, value }) => chosen.includes(of) && isAlternative(rows, of, value));
  const pick = (verdict: DeckComparison['verdict'], by: 'low' | 'high') =>
    open.filter(row => row.verdict === verdict).toSorted((one, other) => other[by] - one[by])[0];
  const better = pick('better', 'low');
  const unknown = pick('too_early', 'high');
  return [
    ...(better ? [{ why: 'better' as const, row: better }] : []),
    ...(unknown ? [{ why: 'unknown' as const, row: unknown }] : []),
  ];
}

/** What all decks have in common is no choice. */
function isAlternative(rows: readonly DeckComparison[], of: DeckComparison['of'], value: string): boolean {
  return rows.some(row => row.of === of && row.value !== value);
}
