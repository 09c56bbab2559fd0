import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';
import { ToDeck } from './DeckLink.tsx';

/** Says so where more than half of a deck's lines are in another one. */
export function SharedText({ freshness }: Pick<Content, 'freshness'>) {
  if (!freshness || freshness.overlap <= 0.5) return null;
  return (
    <p className="rounded-control bg-warn-wash p-3 text-sm text-warn-ink">
      {texts.approve.shares(Math.round(freshness.overlap * 100))}{' '}
      <ToDeck id={freshness.nearestContentId} className="underline">
        {texts.approve.sharedDeck}
      </ToDeck>
      .
    </p>
  );
}
