import { ApiError } from '@hookline/shared/contracts';
import type { Decider } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import { isConnectionError, type Transaction } from '@hookline/shared/postgres';
import { RenderBusyError, SlideTextError } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { findApp, findAppOfContent } from '../queries/apps.ts';
import {
  type ClaimedContent,
  claimQueuedContent,
  findContent,
  finishClaimedContent,
  putBackClaimedContent,
} from '../queries/contents.ts';
import type { AppRow } from '../records/app.ts';
import type { ContentRow } from '../records/content.ts';
import {
  deckWithout,
  type FailedDeck,
  failedDeck,
  finishedContent,
  type GeneratedDeck,
} from '../rules/generation.ts';
import { nextPauseMs, waitsUntil } from '../rules/wait-again.ts';
import { keepReserved, reserveGeneration } from './charge.ts';
import { finishGeneration } from './finish-generation.ts';
import { generateDeck } from './generate-deck.ts';
import { applyDecision } from './review-content.ts';

/**
 * Added to a generation's longest duration: 4 s for a slot, 2 s for the files of its
 * pictures, 1 s for asking the image store, 3 s to write rows.
 */
const leaseMarginMs = 10_000;

// A deck that kills its process or always throws must not be claimed forever: it would block those behind it.
const attemptsMax = 3;

const unreviewedReason =
  'the app was changed by somebody who may not approve content, so the slideshow waits for approval';

/**
 * Claims one queued content and ends it as ready or failed, as `POST /content` does. While the image store or
 * the text model is away it is put back instead, for up to two hours: nobody waits for an answer. After three
 * claims without an end it fails uncharged. An error of one content is logged and does not stop the others;
 * its lease expires.
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
      claimed.attempts > attemptsMax ? neverEnded() : await generate(deps, content, app, claimed.waits > 0);
    if (deck.status === 'failed' && (await putBack(deps, claimed, content, deck))) return true;
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
  hasWaited: boolean,
): Promise<GeneratedDeck> {
  const { id: contentId, accountId, brief, requestId } = content;
  if (!app)
    return failedDeck('not_found', 'The app of this automation was deleted; the automation is paused.');
  try {
    const work = { accountId, contentId, requestId };
    await deps.db.transaction(tx => reserveGeneration(deps, tx, work, true));
    return await generateDeck(deps, contentId, app, brief ?? {}, hasWaited);
  } catch (error) {
    // An error that the HTTP route would answer becomes the content's reason: no caller waits here.
    if (error instanceof ApiError) return failedDeck(error.code, error.message);
    if (error instanceof SlideTextError) return failedDeck('invalid_request', error.message);
    if (error instanceof RenderBusyError) {
      return deckWithout('service_unavailable', 'Too many slideshows were being drawn; nothing was charged.');
    }
    throw error;
  }
}

/** @returns false if the failure is final, or the content has waited long enough */
async function putBack(
  deps: ContentDeps,
  claimed: ClaimedContent,
  { id: contentId, createdAt }: ContentRow,
  deck: FailedDeck,
): Promise<boolean> {
  if (!deck.mayPass) return false;
  const { waits } = claimed;
  const now = deps.now();
  const pauseMs = nextPauseMs({ waits, createdAt }, now);
  if (pauseMs === null) return false;
  const until = new Date(Math.max(waitsUntil(createdAt).getTime(), now.getTime() + pauseMs));
  const { errorCode: code } = deck;
  const why = `waiting (${code}); retries end at ${until.toISOString()}`;
  await deps.db.transaction(async tx => {
    if (!(await putBackClaimedContent(tx, claimed, pauseMs, why))) throw new LeaseLostError(contentId);
    await keepReserved(deps, tx, contentId, until);
  });
  deps.log.warn({ contentId, code, waits, pauseMs }, 'a queued content waits for what is away');
  return true;
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
