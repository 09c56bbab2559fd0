import { type Brief, isGiven } from '@hookline/shared/contracts/brief';
import type { ContentRow } from '../contents/record.ts';
import type { GeneratedDeck } from '../decks/deck.rules.ts';

/** `illustrated` and `hook_video` contents fail at once (API-4, rule 5). */
export function isGenerated({ type }: Pick<ContentRow, 'type'>): boolean {
  return type === 'slideshow';
}

/** A given deck has a closing slide exactly if the caller wrote one. */
export function withClosingMode(brief: Brief): Brief {
  if (!isGiven(brief)) return brief;
  return { ...brief, ctaMode: brief.ctaMode ?? (brief.closing === undefined ? 'none' : 'soft') };
}

/** The field of the brief whose text a slide shows. @param slide from 1 */
export function fieldOfSlide(brief: Brief | undefined, slide: number): string {
  if (slide === 1) return 'brief.hook';
  return slide - 2 < (brief?.slides?.length ?? 0) ? `brief.slides[${slide - 2}].text` : 'brief.closing';
}

export type NewContent = Pick<ContentRow, 'id' | 'accountId' | 'appId' | 'type' | 'brief' | 'requestId'> &
  Partial<
    Pick<
      ContentRow,
      | 'originAutomationId'
      | 'originFiringId'
      | 'originApprovalMode'
      | 'authorId'
      | 'madeBy'
      | 'externalId'
      | 'metadata'
    >
  >;

export function newContent(content: NewContent, at: Date): ContentRow {
  return {
    status: 'queued',
    approvalStatus: 'pending',
    result: null,
    archetype: null,
    language: null,
    writer: null,
    freshness: null,
    version: 1,
    costCharged: 0,
    notice: isGenerated(content) ? null : 'generation_not_wired',
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
    changesRequested: null,
    experimentId: null,
    externalId: null,
    metadata: null,
    authorId: null,
    madeBy: null,
    createdAt: at,
    updatedAt: at,
    ...content,
  };
}

/** A ready deck costs a credit, a failed one nothing. */
export function finishedContent(content: ContentRow, deck: GeneratedDeck, at: Date): ContentRow {
  const ended = { ...content, waitsBecause: null, updatedAt: at };
  if (deck.status === 'failed') {
    const { status, errorCode, errorMessage } = deck;
    return { ...ended, status, errorCode, errorMessage };
  }
  const { status, result, archetype, language, writer, freshness, notice = null } = deck;
  const shown = { ...deck.shown, changedBy: deck.unreviewed.map(({ authorId }) => authorId) };
  const told = { result, archetype, language, writer, freshness, notice };
  return { ...ended, status, ...told, shown, costCharged: 1 };
}
