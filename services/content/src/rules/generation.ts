/** The initial state of a content, and its state after generation. */
import type { DeckWriter, SlideshowResult } from '@hookline/shared/contracts/content';
import type { ContentRow, Shown } from '../records/content.ts';
import type { ImageRow } from '../records/image.ts';
import type { UsedItem } from './unreviewed.ts';

export type GeneratedDeck =
  | {
      status: 'ready';
      result: SlideshowResult;
      archetype: string;
      language: string;
      writer: DeckWriter;
      notice?: ContentRow['notice'] | undefined;
      images: ImageRow[];
      shown: Shown;
      unreviewed: UsedItem[];
    }
  | FailedDeck;

export type FailedDeck = {
  status: 'failed';
  errorCode: string;
  errorMessage: string;
  /** What the generation needs is away: the same generation may succeed later. */
  mayPass: boolean;
};

/** `illustrated` and `hook_video` contents fail at once (API-4, rule 5). */
export function isGenerated({ type }: Pick<ContentRow, 'type'>): boolean {
  return type === 'slideshow';
}

export function failedDeck(errorCode: string, errorMessage: string): FailedDeck {
  return { status: 'failed', errorCode, errorMessage, mayPass: false };
}

/** A deck that failed for a reason of our own. */
export function deckNotMade(): FailedDeck {
  return failedDeck(
    'internal_error',
    'The slideshow could not be made; nothing was charged. Try again with a new Idempotency-Key.',
  );
}

/** A deck that failed because something is away or busy. A queued content waits for it. */
export function deckWithout(errorCode: string, errorMessage: string): FailedDeck {
  return { status: 'failed', errorCode, errorMessage, mayPass: true };
}

export type NewContent = Pick<ContentRow, 'id' | 'accountId' | 'appId' | 'type' | 'brief' | 'requestId'> &
  Partial<
    Pick<ContentRow, 'originAutomationId' | 'originFiringId' | 'originApprovalMode' | 'authorId' | 'madeBy'>
  >;

/** A content that is not generated yet. */
export function newContent(given: NewContent, at: Date): ContentRow {
  return {
    status: 'queued',
    approvalStatus: 'pending',
    result: null,
    archetype: null,
    language: null,
    writer: null,
    version: 1,
    costCharged: 0,
    notice: isGenerated(given) ? null : 'generation_not_wired',
    errorCode: null,
    errorMessage: null,
    originAutomationId: null,
    originFiringId: null,
    originApprovalMode: null,
    waitsBecause: null,
    shown: null,
    decidedVersion: null,
    decision: null,
    decidedAt: null,
    decidedByKeyId: null,
    decidedBy: null,
    decisionReason: null,
    authorId: null,
    madeBy: null,
    createdAt: at,
    updatedAt: at,
    ...given,
  };
}

/** The content with its deck. A ready deck costs a credit, a failed one nothing. */
export function finishedContent(content: ContentRow, deck: GeneratedDeck, at: Date): ContentRow {
  const ended = { ...content, waitsBecause: null, updatedAt: at };
  if (deck.status === 'failed') {
    const { status, errorCode, errorMessage } = deck;
    return { ...ended, status, errorCode, errorMessage };
  }
  const { status, result, archetype, language, writer, notice = null } = deck;
  const shown = { ...deck.shown, changedBy: deck.unreviewed.map(({ authorId }) => authorId) };
  return { ...ended, status, result, archetype, language, writer, notice, shown, costCharged: 1 };
}
