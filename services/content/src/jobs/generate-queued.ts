import { randomInt } from 'node:crypto';
import { ApiError } from '@hookline/shared/contracts';
import type { Decider } from '@hookline/shared/contracts/content';
import { newId } from '@hookline/shared/kernel';
import {
  isConnectionError,
  isPassingFault,
  lockForCount,
  type Sql,
  type Transaction,
} from '@hookline/shared/postgres';
import { RenderBusyError, RenderThreadError, SlideTextError } from '@hookline/slides';
import { applyDecision } from '../approvals/review-content.ts';
import { findApp } from '../apps/queries.ts';
import type { AppRow } from '../apps/record.ts';
import { waitsForPerson } from '../apps/unreviewed.rules.ts';
import { findContent } from '../contents/queries.ts';
import { listDecksBefore } from '../contents/queries-before.ts';
import type { ContentRow } from '../contents/record.ts';
import { keepReserved, reserveGeneration } from '../credits/charge.ts';
import { deckWithout, failedDeck, type GeneratedDeck } from '../decks/deck.rules.ts';
import { comparedSince, isRepeat } from '../decks/freshness.ts';
import { generateDeck } from '../decks/generate.ts';
import type { DeckBefore } from '../decks/record.ts';
import type { ContentDeps } from '../deps.ts';
import { findTextModel } from '../text-models/queries.ts';
import { finishGeneration } from './finish.ts';
import { finishedContent } from './generation.rules.ts';
import {
  type ClaimedContent,
  claimQueuedContent,
  finishClaimedContent,
  putBackClaimedContent,
  shortenLease,
} from './queries.ts';
import { nextPauseMs, waitsUntil } from './wait-again.rules.ts';

/** The lease adds 4 s for a slot, 2 s for pictures, 1 s for asking the image store, 3 s to write rows. */
const leaseMarginMs = 10_000;

// A deck that kills its process or always throws would block those behind it.
const attemptsMax = 3;

// Another deck may have ended the thread; two that start together would end it three times.
const apartMs = 15_000;

/**
 * Claims one queued content and ends it. While the image store, the text model or the database is away, it is
 * put back for up to two hours. After three claims without an end it fails uncharged. An error of one content
 * is logged; its lease expires.
 * @returns false if none was queued
 * @throws Error if the database cannot be reached
 */
export async function generateQueued(deps: ContentDeps): Promise<boolean> {
  const claimed = await claimQueuedContent(deps.db, newId('attempt'), deps.generationMs + leaseMarginMs);
  if (!claimed) return false;
  try {
    const content = await findContent(deps.db, claimed.accountId, claimed.id);
    if (!content) throw new Error('the content that was just claimed does not exist');
    const app = await findApp(deps.db, content.accountId, content.appId);
    const before = app ? await listDecksOf(deps, deps.db, content) : [];
    const job = { claimed, content, app, before };
    const deck = claimed.attempts > attemptsMax ? neverEnded() : await generate(deps, job);
    if (deck.status === 'failed' && deck.mayPass && (await putBack(deps, claimed, deck.errorCode)))
      return true;
    await finish(deps, job, deck).catch(async error => {
      if (!isInsufficient(error)) throw error;
      await finish(deps, job, failedDeck('insufficient_credits', 'Not enough credits.'));
    });
  } catch (error) {
    if (isConnectionError(error) || isPassingFault(error)) await putBackUncounted(deps, claimed);
    if (isConnectionError(error)) throw error;
    if (error instanceof RenderThreadError) await shortenLease(deps.db, claimed, randomInt(apartMs));
    const { id: contentId, attempts } = claimed;
    deps.log.error({ err: error, contentId, attempts }, 'a queued content could not be generated');
  }
  return true;
}

function neverEnded(): GeneratedDeck {
  return failedDeck('internal_error', `The slideshow could not be made in ${attemptsMax} attempts.`);
}

/** `app` is null if it was deleted. `before` are its decks from before this one was written. */
type QueuedJob = {
  claimed: ClaimedContent;
  content: ContentRow;
  app: AppRow | null;
  before: readonly DeckBefore[];
};

async function generate(
  deps: ContentDeps,
  { claimed, content, app, before }: QueuedJob,
): Promise<GeneratedDeck> {
  const { id: contentId, accountId, brief, requestId, originAutomationId: automationId } = content;
  if (!app) {
    if (automationId === null) return failedDeck('not_found', 'The app was deleted.');
    return failedDeck('not_found', 'The app of this automation was deleted; the automation is paused.');
  }
  try {
    const work = { accountId, contentId, requestId, isResumed: true };
    await deps.db.transaction(tx => reserveGeneration(deps, tx, work));
    const model = await findTextModel(deps.db, accountId);
    const hasWaited = claimed.waits > 0;
    const order = { contentId, app, brief: brief ?? {}, hasWaited, before, model, automationId };
    return await generateDeck(deps, order);
  } catch (error) {
    // An error that the HTTP route would answer becomes the content's reason.
    if (error instanceof ApiError) return failedDeck(error.code, error.message);
    if (error instanceof SlideTextError) return failedDeck('invalid_request', error.message);
    if (error instanceof RenderBusyError) {
      return deckWithout('service_unavailable', 'Too many slideshows were being drawn; nothing was charged.');
    }
    throw error;
  }
}

const listDecksOf = ({ now }: ContentDeps, sql: Sql, content: ContentRow) => {
  const { accountId, appId, originAutomationId: automationId } = content;
  return listDecksBefore(sql, { accountId, appId, since: comparedSince(now()), automationId });
};

/** @returns false if the content has waited long enough */
async function putBack(deps: ContentDeps, claimed: ClaimedContent, code: string): Promise<boolean> {
  const pause = pauseOf(deps, claimed, code);
  if (!pause) return false;
  await deps.db.transaction(async tx => {
    await putBackFor(tx, claimed, pause.ms, whyOf(pause));
    await keepReserved(deps, tx, { contentId: claimed.id, until: pause.until });
  });
  logWait(deps, claimed, pause);
  return true;
}

/** Puts a content back after a passing fault of the database. If this fails too, the lease expires. */
async function putBackUncounted(deps: ContentDeps, claimed: ClaimedContent): Promise<void> {
  const pause = pauseOf(deps, claimed, 'db_error');
  if (!pause) return;
  try {
    await deps.db.transaction(tx => putBackFor(tx, claimed, pause.ms, whyOf(pause)));
    logWait(deps, claimed, pause);
    // This is a transaction of its own, because the fault may be a lock on the reservations.
    await deps.db.transaction(tx => keepReserved(deps, tx, { contentId: claimed.id, until: pause.until }));
  } catch (error) {
    deps.log.debug({ err: error, contentId: claimed.id }, 'a queued content was left to its lease');
  }
}

type Pause = { ms: number; until: Date; code: string };

/** @returns null if the content has waited long enough */
function pauseOf(deps: ContentDeps, { waits, dueAt }: ClaimedContent, code: string): Pause | null {
  const now = deps.now();
  const ms = nextPauseMs({ waits, dueAt }, now);
  if (ms === null) return null;
  return { ms, until: new Date(Math.max(waitsUntil(dueAt).getTime(), now.getTime() + ms)), code };
}

async function putBackFor(
  tx: Transaction,
  claimed: ClaimedContent,
  pauseMs: number,
  why: string,
): Promise<void> {
  if (!(await putBackClaimedContent(tx, claimed, pauseMs, why))) throw new LeaseLostError(claimed.id);
}

const whyOf = ({ code, until }: Pause): string => `waiting (${code}); retries end at ${until.toISOString()}`;

function logWait({ log }: ContentDeps, { id, waits }: ClaimedContent, pause: Pause): void {
  log.warn(
    { contentId: id, code: pause.code, waits, pauseMs: pause.ms },
    'a queued content waits for what is away',
  );
}

async function finish(
  deps: ContentDeps,
  { claimed, content, app, before }: QueuedJob,
  deck: GeneratedDeck,
): Promise<void> {
  const waitsBecause = deck.status === 'ready' ? waitsForPerson(content, deck.unreviewed) : null;
  const row = { ...finishedContent(content, deck, deps.now()), waitsBecause };
  await deps.db.transaction(async tx => {
    if (await isRepeated(deps, tx, row, before))
      return await putBackFor(tx, claimed, 0, 'waiting (nothing_new)');
    await finishGeneration(deps, tx, {
      content: row,
      images: deck.status === 'ready' ? deck.images : [],
      write: ended => endClaim(tx, claimed, ended),
    });
    if (row.status === 'ready' && row.originApprovalMode === 'auto' && waitsBecause === null) {
      const { requestId } = row;
      const by = automationOf(row, app);
      await applyDecision(tx, row, { decision: 'approved', by, reason: null, requestId, at: deps.now() });
    }
  });
}

/**
 * True where another worker wrote the same for the app at the same time: the deck is written again. Given texts are the
 * caller's.
 */
async function isRepeated(
  deps: ContentDeps,
  tx: Transaction,
  content: ContentRow,
  before: readonly DeckBefore[],
): Promise<boolean> {
  const { accountId, result, language, writer } = content;
  if (result === null || writer?.kind === 'given') return false;
  await lockForCount(tx, 'decks of workers', accountId);
  const known = new Set(before.map(({ id }) => id));
  const meanwhile = (await listDecksOf(deps, tx, content)).filter(({ id }) => !known.has(id));
  return isRepeat({ result, language }, meanwhile);
}

/** An automation has no name, so it is called after its app. */
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

/** Another worker has claimed the content: the error rolls this transaction back. */
class LeaseLostError extends Error {
  override name = 'LeaseLostError';
  constructor(contentId: string) {
    super(`the lease on ${contentId} was lost`);
  }
}
