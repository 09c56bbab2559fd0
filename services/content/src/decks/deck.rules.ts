import type { Content, DeckWriter, Freshness, SlideshowResult } from '@hookline/shared/contracts/content';
import type { Shown } from '../apps/record.ts';
import type { UsedItem } from '../apps/unreviewed.rules.ts';
import type { ImageRow } from '../images/record.ts';

export type GeneratedDeck =
  | {
      status: 'ready';
      result: SlideshowResult;
      archetype: string;
      language: string;
      writer: DeckWriter;
      notice?: Content['notice'];
      freshness: Freshness | null;
      images: ImageRow[];
      shown: Shown;
      unreviewed: UsedItem[];
    }
  | FailedDeck;

export type FailedDeck = {
  status: 'failed';
  errorCode: string;
  errorMessage: string;
  /** `mayPass` means that something is away, so that the same generation may succeed later. */
  mayPass: boolean;
};

export function failedDeck(errorCode: string, errorMessage: string): FailedDeck {
  return { status: 'failed', errorCode, errorMessage, mayPass: false };
}

/** A queued content waits for what this deck lacks. */
export function deckWithout(errorCode: string, errorMessage: string): FailedDeck {
  return { status: 'failed', errorCode, errorMessage, mayPass: true };
}
