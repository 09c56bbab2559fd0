import type { DeckResults } from '@hookline/shared/contracts/results';

/** The newest numbers of a deck, all of one reading. */
export type ResultsRow = Omit<DeckResults, 'at' | 'source'> & { at: Date };

export function toResults({ at, by, ...numbers }: ResultsRow): DeckResults {
  return { ...numbers, at: at.toISOString(), source: by ? 'entered' : 'tiktok', by };
}

/** A deck whose numbers had a day to settle. */
export type ComparedDeck = {
  contentId: string;
  appId: string;
  tiktokAccountId: string | null;
  hook: string;
  archetype: string | null;
  templateId: string | null;
  language: string | null;
  /** Null for a deck that Hookline did not send. */
  postedAtMs: number | null;
  views: number;
};
