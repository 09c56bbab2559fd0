import { appendEvent } from '@hookline/shared/bus';
import { ApiError, notFound } from '@hookline/shared/contracts';
import type { Decider } from '@hookline/shared/contracts/content';
import { contentApproved, contentChangesRequested, contentRejected } from '@hookline/shared/events';
import { byOf, type Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import {
  decideContent,
  findContent,
  findSendState,
  lockContent,
  type NewDecision,
} from '../contents/queries.ts';
import {
  type ContentRow,
  type ContentWithImages,
  type Decision,
  toEventContent,
  toOrigin,
} from '../contents/record.ts';
import type { ContentDeps } from '../deps.ts';
import { judgeReview, type Reviewed, requirePolicy } from './policy.rules.ts';
import { endShownMarks } from './review-app.ts';

export type Review = {
  caller: Caller;
  contentId: string;
  decision: Decision;
  seen: Reviewed;
  /** Who decides by a link, which the caller made. */
  by?: Decider;
  reason: string | undefined;
  requestId: string;
};

/** Approves or rejects the current version. The caller runs the transaction inside `onceSettled`. */
export async function reviewContent(
  deps: ContentDeps,
  tx: Transaction,
  review: Review,
): Promise<ContentWithImages> {
  const { caller, decision, seen, reason = null, requestId } = review;
  // A send permit takes this lock too, which orders a decision and a send.
  const content = await lockContent(tx, caller.accountId, review.contentId);
  if (!content) throw notFound('content');
  requirePolicy(caller, { version: seen.version }, authorsOf(content));
  requireWaiting(content, review.by);
  const sendState = await findSendState(tx, content.id);
  const verdict = judgeReview({ ...content, sendState }, decision, seen);
  if (verdict.kind === 'refuse') throw new ApiError(verdict.code, verdict.message);
  if (verdict.kind === 'unchanged') return content;
  const by = review.by ?? byOf(caller);
  if (!by) throw new Error('a decision needs a person or a key');
  const decided = await applyDecision(tx, content, { decision, by, reason, requestId, at: deps.now() });
  // Whoever has a link decides on its version alone.
  if (decision === 'approved' && !review.by) await endShownMarks(tx, caller, content);
  return decided;
}

/** Whoever has a link decides nothing more on a version of which another was asked for. */
export function requireWaiting({ changesRequested }: ContentRow, by: Decider | undefined): void {
  if (by?.kind !== 'reviewer' || !changesRequested) return;
  throw new ApiError('not_ready', 'Another version was asked for. Ask for a link to that one.');
}

export function authorsOf({ authorId, originAutomationId, shown }: ContentRow): (string | null)[] {
  return [authorId, ...(originAutomationId === null ? [] : (shown?.changedBy ?? []))];
}

/** Writes a decision and its event. The row must be locked. */
export async function applyDecision(
  tx: Transaction,
  content: ContentRow,
  newDecision: NewDecision,
): Promise<ContentWithImages> {
  const { decision, at } = newDecision;
  await decideContent(tx, content, newDecision);
  const decided = await findContent(tx, content.accountId, content.id);
  if (!decided) throw new Error('the content that was just decided does not exist');
  await appendReviewed(tx, decision, decided, at);
  return decided;
}

const events = {
  approved: contentApproved,
  rejected: contentRejected,
  changesRequested: contentChangesRequested,
};

export async function appendReviewed(
  tx: Transaction,
  what: keyof typeof events,
  content: ContentWithImages,
  at: Date,
): Promise<void> {
  const { accountId, id: subject, archetype, language } = content;
  const data = { content: toEventContent(content), origin: toOrigin(content), archetype, language };
  await appendEvent(tx, events[what], { accountId, subject, source: 'content', at, data });
}
