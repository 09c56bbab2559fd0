import { ApiError } from '@hookline/shared/contracts';
import type { Decider } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { isConnectionError, type Transaction } from '@hookline/shared/postgres';
import { SlideTextError } from '@hookline/slides';
import { WriterBusy } from '@hookline/writer';
import type { ContentDeps } from '../deps.ts';
import { findApp, findAppOfContent } from '../queries/apps.ts';
import {
  type ClaimedContent,
  claimQueuedContent,
  findContent,
  finishClaimedContent,
} from '../queries/contents.ts';
import type { AppRow } from '../records/app.ts';
import type { ContentRow } from '../records/content.ts';
import { failedDeck, finishedContent, type GeneratedDeck } from '../rules/generation.ts';
import { reserveGeneration } from './charge.ts';
import { finishGeneration } from './finish-generation.ts';
import { generateDeck } from './generate-deck.ts';
import { applyDecision } from './review-content.ts';

/**
 * Added to a generation's longest duration: 4 s for a slot, 2 s for the files of its
 * pictures, 3 s to write rows.
 */
const leaseMarginMs = 9_000;

// A deck that kills its process or always throws must not be claimed forever: it would block those behind it.
const attemptsMax = 3;

const unreviewedReason =
  'the app was changed by somebody who may not approve content, so the slideshow waits for approval';

/**
 * Claims one queued content and ends it as ready or failed, as `POST /content` does. After three claims
 * without an end it fails uncharged. An error of one content is logged and does not stop the others; its
 * lease expires.
 * @returns false if none was queued. @throws Error if the database cannot be reached.
 */
export async function generateQueued(deps: ContentDeps): Promise<boolean> {
  const claimed = await claimQueuedContent(deps.db, newId('attempt'), deps.generationMs + leaseMarginMs);
  if (!claimed) return false;
  const content = await findContent(deps.db, claimed.accountId, claimed.id);
  if (!content) throw new Error('the content that was just claimed does not exist');
  try {
    const app = await findApp(deps.db, content.accountId, content.appId);
    const deck =
      claimed.attempts > attemptsMax ? neverEnded() : await generate(deps, content, app, claimed.attempts);
    await finish(deps, claimed, content, app, deck).catch(async error => {
      if (!isInsufficient(error)) throw error;
      await finish(deps, claimed, content, app, failedDeck('insufficient_credits', 'Not enough credits.'));
    });
  } catch (error) {
    if (isConnectionError(error)) throw error;
    const { id: contentId, attempts } = claimed;
    deps.log.error({ err: error, contentId, attempts }, 'a queued content could not be generated');
  }
  return true;
}

function neverEnded(): GeneratedDeck {
  return failedDeck('internal_error', `The slideshow could not be made in ${attemptsMax} attempts.`);
}

async function generate(
  deps: ContentDeps,
  content: ContentRow,
  app: AppRow | null,
  attempts: number,
): Promise<GeneratedDeck> {
  const { id: contentId, accountId, brief, requestId } = content;
  if (!app)
    return failedDeck('not_found', 'The app of this automation was deleted; the automation is paused.');
  try {
    const work = { accountId, contentId, requestId };
    await deps.db.transaction(tx => reserveGeneration(deps, tx, work, true));
    return await generateDeck(deps, contentId, app, brief ?? {});
  } catch (error) {
    // An error that the HTTP route would answer becomes the content's reason: no caller waits here.
    if (error instanceof ApiError) return failedDeck(error.code, error.message);
    if (error instanceof SlideTextError) return failedDeck('invalid_request', error.message);
    // Tried again after the lease, as nobody waits for it; the last time with the reason.
    if (error instanceof WriterBusy && attempts >= attemptsMax) return failedDeck(error.code, error.message);
    throw error;
  }
}

/** @param appBefore the app as the deck was begun with; null if it was deleted */
async function finish(
  deps: ContentDeps,
  claimed: ClaimedContent,
  content: ContentRow,
  appBefore: AppRow | null,
  deck: GeneratedDeck,
): Promise<void> {
  const finished = finishedContent(content, deck, deps.now());
  const isAuto = finished.status === 'ready' && finished.originApprovalMode === 'auto';
  await deps.db.transaction(async tx => {
    // Also one that was deleted in the meantime.
    const app = isAuto ? await findAppOfContent(tx, finished.appId) : null;
    // A change, or a look at it, may have come while the deck was made: both states count (D-92).
    const isUnreviewed = (appBefore?.unreviewedSince ?? app?.unreviewedSince ?? null) !== null;
    const row = isAuto && isUnreviewed ? { ...finished, waitsBecause: unreviewedReason } : finished;
    await finishGeneration(deps, tx, row, deck, ended => endClaim(tx, claimed, ended));
    if (isAuto && !isUnreviewed) {
      const { requestId } = row;
      await applyDecision(deps, tx, row, 'approved', { by: automationOf(row, app), reason: null, requestId });
    }
  });
}

/** An automation has no name of its own: it is called after its app. */
function automationOf({ appId, originAutomationId }: ContentRow, app: AppRow | null): Decider {
  if (!originAutomationId) throw new Error('a content without an automation cannot approve itself');
  return { kind: 'automation', id: originAutomationId, name: `Automation of ${app?.name ?? appId}` };
}

async function endClaim(tx: Transaction, claimed: ClaimedContent, content: ContentRow): Promise<void> {
  if (!(await finishClaimedContent(tx, claimed.leaseToken, content))) throw new LeaseLostError(claimed.id);
}

function isInsufficient(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'insufficient_credits';
}

/**
 * The worker was slower than its lease and another one has claimed the content: rolls this transaction back.
 */
class LeaseLostError extends Error {
  override name = 'LeaseLostError';
  constructor(contentId: string) {
    super(`the lease on ${contentId} was lost`);
  }
}
