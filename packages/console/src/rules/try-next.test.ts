import { describe, expect, it } from 'vitest';
import type { DeckComparison } from '../types.ts';
import { tryNext } from './try-next.ts';

const row = (
  of: DeckComparison['of'],
  value: string,
  more: Partial<DeckComparison> = {},
): DeckComparison => ({
  ...{ of, value, decks: 6, views: 6000, typicalViews: 1000, lift: 1, low: 0.4, high: 2.5 },
  ...{ verdict: 'too_early', contentIds: [], ...more },
});

describe('tryNext', () => {
  it('advises more of what is shown to be better, and a try of what may be best', () => {
    const better = row('archetype', 'listicle', { verdict: 'better', low: 1.2, high: 3 });
    const unknown = row('hour', '07', { high: 4 });
    const rows = [better, row('archetype', 'authority', { verdict: 'worse' }), unknown, row('hour', '18')];
    expect(tryNext(rows)).toEqual([
      { why: 'better', row: better },
      { why: 'unknown', row: unknown },
    ]);
  });

  it('advises nothing that every deck has, no hook, and nothing without decks', () => {
    expect(tryNext([row('template', 'quote-card'), row('hook', 'One'), row('hook', 'Two')])).toEqual([]);
    expect(tryNext([])).toEqual([]);
  });
});
