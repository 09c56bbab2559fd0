import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { jobCompleted } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { isConnectionError } from '@hookline/shared/postgres';
import { SlideTextError } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { findApp } from '../queries/apps.ts';
import {
  type ClaimedContent,
  type ContentWithImages,
  claimQueuedContent,
  findContent,
  finishClaimedContent,
} from '../queries/contents.ts';
import { insertImages } from '../queries/images.ts';
import { toJob, toOrigin } from '../rules/content-record.ts';
import { chargeGeneration, releaseGeneration, reserveGeneration } from './charge.ts';
import { type GeneratedDeck, generateDeck, generationMs } from './generate-deck.ts';
import { applyDecision } from './review-content.ts';

const leaseMs = generationMs + 7_000;

// A deck that ends its process, or always throws, must not be taken for ever: it would hold up those behind it.
const attemptsMax = 3;

/**
 * Takes one queued content and ends it as ready or failed, like `POST /content` does. One that was taken three times
 * without an end fails uncharged. A fault of the content itself is logged, and others go on; its lease ends by itself.
 * @returns false when none waited. @throws Error when the database cannot be reached.
 */
export async function generateQueued(deps: ContentDeps): Promise<boolean> {
  const claimed = await claimQueuedContent(deps.db, newId('attempt'), leaseMs);
  if (!claimed) return false;
  const content = await findContent(deps.db, claimed.accountId, claimed.id);
  if (!content) throw new Error('the content that was just claimed is not there');
  try {
    const deck = claimed.attempts > attemptsMax ? neverEnded() : await makeDeck(deps, content);
    await finish(deps, claimed, content, deck);
  } catch (error) {
    if (isConnectionError(error)) throw error;
    const { id: contentId, attempts } = claimed;
    deps.log.error({ err: error, contentId, attempts }, 'a queued content could not be generated');
  }
  return true;
}

function neverEnded(): GeneratedDeck {
  return failed('internal_error', `The slideshow could not be made in ${attemptsMax} attempts.`);
}

async function makeDeck(deps: ContentDeps, content: ContentWithImages): Promise<GeneratedDeck> {
  const app = await findApp(deps.db, content.accountId, content.appId);
  if (!app) return failed('not_found', 'The app of this automation is gone.');
  try {
    const { accountId, id: contentId, requestId } = content;
    const work = { accountId, contentId, requestId };
    await deps.db.transaction(tx => reserveGeneration(deps, tx, work, true));
    return await generateDeck(deps, content.id, app, content.brief ?? {});
  } catch (error) {
    // What the HTTP path answers as an error is this content's reason: nobody waits for an answer here.
    if (error instanceof ApiError) return failed(error.code, error.message);
    if (error instanceof SlideTextError) return failed('invalid_request', error.message);
    throw error;
  }
}

function failed(errorCode: string, errorMessage: string): GeneratedDeck {
  return { status: 'failed', errorCode, errorMessage };
}

async function finish(
  deps: ContentDeps,
  claimed: ClaimedContent,
  content: ContentWithImages,
  deck: GeneratedDeck,
): Promise<void> {
  const now = deps.now();
  const { id, accountId, requestId } = content;
  await deps.db.transaction(async tx => {
    let outcome = deck;
    if (
      deck.status === 'ready' &&
      !(await chargeGeneration(deps, tx, { accountId, contentId: id, requestId }))
    ) {
      outcome = failed('insufficient_credits', 'Not enough credits.');
    }
    if (outcome.status === 'failed') await releaseGeneration(tx, id);
    if (!(await finishClaimedContent(tx, claimed, outcome, now))) throw new LeaseLostError(id);
    if (outcome.status === 'ready') await insertImages(tx, id, 1, outcome.images, now);
    const ended = await findContent(tx, accountId, id);
    if (!ended) throw new LeaseLostError(id);
    await appendEvent(tx, jobCompleted, {
      accountId,
      subject: id,
      source: 'content',
      at: now,
      data: { job: toJob(ended), origin: toOrigin(ended) },
    });
    if (ended.status === 'ready' && ended.originApprovalMode === 'auto') {
      await applyDecision(deps, tx, ended, 'approved', { keyId: null, requestId });
    }
  });
}

/** The worker was slower than its lease and another has the content now: its own work is rolled back. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
  constructor(contentId: string) {
    super(`the lease on ${contentId} was lost`);
  }
}
