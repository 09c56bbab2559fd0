import type { EarlierDeck } from '@hookline/writer';

/** An earlier deck of an app, and the reason if it was rejected. */
export type DeckBefore = EarlierDeck & {
  automationId: string | null;
  createdAt: Date;
  rejectReason: string | null;
};
