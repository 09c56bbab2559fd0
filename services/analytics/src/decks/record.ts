import type { DeckResults } from '@hookline/shared/contracts/results';

/** The newest numbers of a deck, all of one reading. */
export type ResultsRow = Omit<DeckResults, 'at' | 'source'> & { at: Date };

export function toResults({ at, by, ...numbers }: ResultsRow): DeckResults {
  return { ...numbers, at: at.toISOString(), source: 'entered', by };
}
