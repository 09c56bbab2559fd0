import { describe, expect, it } from 'vitest';
import { type DeckBrief, planDeck } from './deck-plan.ts';

const seven = '7 habits that outlast motivation';
const forty = '40 ways to use a lemon';
const plain = 'Nobody sees the rest day';
const quote = 'quote-card' as const;

/** brief | total | bodies | closing | count in the hook | where it is said */
const table: [DeckBrief, number, number, boolean, number | null, string][] = [
  [{}, 6, 4, true, 4, 'default 6'],
  [{ ctaMode: 'none' }, 6, 5, false, 5, 'D-38'],
  [{ slideCount: 2 }, 2, 0, true, null, 'D-38: nothing left to count'],
  [{ slideCount: 2, ctaMode: 'none' }, 2, 1, false, null, 'no count of 1'],
  [{ slideCount: 3 }, 3, 1, true, null, 'no count of 1'],
  [{ slideCount: 10, ctaMode: 'direct' }, 10, 8, true, 8, 'rule 4'],
  [{ hook: plain, slideCount: 8 }, 8, 6, true, null, 'D-38'],
  [{ hook: seven }, 9, 7, true, 7, 'rule 3'],
  [{ hook: seven, slideCount: 4 }, 9, 7, true, 7, 'rule 3: the hook always sets it'],
  [{ hook: seven, slideCount: 4, ctaMode: 'none' }, 8, 7, false, 7, 'rule 3'],
  [{ hook: forty }, 35, 33, true, 40, 'rule 3: up to 33'],
  [{ hook: forty, ctaMode: 'none' }, 34, 33, false, 40, 'D-35: min(N, 33)'],
  [{ hook: '1 rule for a calm inbox' }, 3, 1, true, 1, 'literal 1'],
  [{ templateId: quote }, 6, 4, true, 4, 'default 6'],
  [{ templateId: quote, slideCount: 8 }, 8, 6, true, 6, 'rule 2: the CTA is the last of the count'],
  [{ templateId: quote, slideCount: 8, ctaMode: 'none' }, 8, 7, false, 7, 'rule 2'],
  [{ templateId: quote, hook: seven }, 9, 7, true, 7, 'D-35'],
  [{ templateId: quote, hook: seven, ctaMode: 'none' }, 8, 7, false, 7, 'D-35'],
  [{ templateId: quote, hook: seven, slideCount: 4 }, 4, 2, true, 7, 'D-35: slideCount wins'],
  [{ templateId: quote, hook: seven, slideCount: 4, ctaMode: 'none' }, 4, 3, false, 7, 'D-35'],
  [{ templateId: quote, hook: forty }, 35, 33, true, 40, 'D-35: 35 slides in all'],
  [{ templateId: quote, hook: forty, ctaMode: 'none' }, 35, 34, false, 40, 'D-35'],
  [{ templateId: quote, hook: plain }, 6, 4, true, null, 'default 6'],
];

describe('planDeck', () => {
  it.each(table)(
    '%j: %i slides, %i of them body (%#)',
    (brief, total, bodyCount, hasClosing, countInHook) => {
      expect(planDeck(brief)).toEqual({ total, bodyCount, hasClosing, countInHook });
    },
  );
});
