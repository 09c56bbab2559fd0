import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Brief } from '@hookline/shared/contracts/brief';
import * as contracts from '@hookline/shared/contracts/content';
import { answerText, byOf, type Caller, jsonHeaders, RawAnswer, replayAnswer } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import {
  type Claim,
  claimKey,
  claimOrWait,
  completeKey,
  type KeyLease,
  releaseKey,
} from '@hookline/shared/postgres';
import { RenderBusyError, RenderThreadError, SlideTextError } from '@hookline/slides';
import { findApp } from '../apps/queries.ts';
import type { AppRow } from '../apps/record.ts';
import { listDecksBefore } from '../contents/queries-before.ts';
import { toContent } from '../contents/record.ts';
import { releaseGeneration, reserveGeneration, reserveIfClaimed } from '../credits/charge.ts';
import { failedDeck, type GeneratedDeck } from '../decks/deck.rules.ts';
import { comparedSince } from '../decks/freshness.ts';
import { type DeckOrder, generateDeck } from '../decks/generate.ts';
import type { ContentDeps } from '../deps.ts';
import { toEventImage } from '../images/record.ts';
import { withTemplate } from '../pictures/choose.ts';
import { findTextModel } from '../text-models/queries.ts';
import { finishGeneration, insertOnce } from './finish.ts';
import {
  fieldOfSlide,
  finishedContent,
  isGenerated,
  newContent,
  withClosingMode,
} from './generation.rules.ts';

// After a generation and this time the work has ended, so that another request may resume it.
const leaseMarginMs = 12_000;
const repeatWaitMinMs = 10_000;

export type CreateContentRequest = {
  caller: Caller;
  body: contracts.CreateContentBody;
  idempotencyKey: string;
  requestId: string;
};

/**
 * Makes a content in three phases: claim (key, id and credit in one transaction), generate (no transaction
 * open), finish (charge or give back, content, event and stored reply in one transaction). A crash can repeat
 * the work under the same id but never charges twice. Every error gives the key back.
 */
export async function createContent(deps: ContentDeps, request: CreateContentRequest): Promise<RawAnswer> {
  // A repeat waits for as long as the first may take, and gets its answer.
  const waitMs = Math.max(repeatWaitMinMs, deps.generationMs);
  const claim = await claimOrWait(deps.db, tx => claimRequest(deps, tx, request), waitMs);
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  const { lease } = claim;
  try {
    const brief = withClosingMode(await withTemplate(deps.db, claim.app, request.body.brief ?? {}));
    const order = { ...request, brief };
    return await finish(deps, order, { lease, deck: await generate(deps, order, claim) });
  } catch (error) {
    // If this fails too, both are free when their time is over.
    await giveBack(deps, lease).catch(cause => {
      deps.log.warn({ err: cause, contentId: lease.resourceId }, 'a key and its credit were not given back');
    });
    throw error;
  }
}

/** `brief` has the template of the deck. */
type ChosenRequest = CreateContentRequest & { brief: Brief };

type ClaimedRequest = Extract<Claim, { kind: 'claimed' }> & { app: AppRow } & Pick<
    DeckOrder,
    'before' | 'model'
  >;

/** A refusal rolls the whole claim back: 4xx are never stored (D-6). */
async function claimRequest(
  deps: ContentDeps,
  tx: Transaction,
  { caller: { accountId }, body, idempotencyKey, requestId }: CreateContentRequest,
): Promise<Exclude<Claim, { kind: 'claimed' }> | ClaimedRequest> {
  const now = deps.now();
  const scope = { accountId, route: 'createContent', key: idempotencyKey };
  const resourceId = newId('content', now.getTime());
  const work = { accountId, contentId: resourceId };
  const [claim, reserved, app, before, model] = await Promise.all([
    claimKey(tx, { ...scope, body, resourceId, leaseMs: deps.generationMs + leaseMarginMs, now }),
    isGenerated(body) ? reserveIfClaimed(deps, tx, work, scope) : null,
    findApp(tx, accountId, body.appId),
    listDecksBefore(tx, { accountId, appId: body.appId, since: comparedSince(now), automationId: null }),
    findTextModel(tx, accountId),
  ]);
  if (claim.kind !== 'claimed') return claim;
  if (!app) throw notFound('app');
  if (isGenerated(body)) {
    const { resourceId: contentId, isResumed } = claim;
    await reserveGeneration(deps, tx, { accountId, contentId, requestId, isResumed }, reserved);
  }
  return { ...claim, app, before, model };
}

async function generate(
  deps: ContentDeps,
  { body, brief }: ChosenRequest,
  { lease, app, before, model }: ClaimedRequest,
): Promise<GeneratedDeck> {
  if (!isGenerated(body)) {
    return failedDeck('not_implemented', `Generation of ${body.type} is not wired; nothing was charged.`);
  }
  try {
    return await generateDeck(deps, {
      contentId: lease.resourceId,
      app,
      brief,
      hasWaited: false,
      before,
      model,
      automationId: null,
    });
  } catch (error) {
    if (error instanceof RenderBusyError || error instanceof RenderThreadError) {
      const message = 'The slideshow cannot be drawn at this moment; nothing was charged. Try again.';
      const cause = error instanceof RenderThreadError ? error : undefined;
      throw new ApiError('service_unavailable', message, { retryAfterSeconds: 2, cause });
    }
    if (error instanceof SlideTextError) {
      throw invalidRequest(`${fieldOfSlide(brief, error.slide)} cannot be drawn: ${error.message}`);
    }
    throw error;
  }
}

/** Gives back key and credit, unless another request has taken the key over and owns both. */
async function giveBack({ db }: ContentDeps, lease: KeyLease): Promise<void> {
  await db.transaction(async tx => {
    if (await releaseKey(tx, lease)) await releaseGeneration(tx, lease.resourceId);
  });
}

/** Builds the reply without reading it back: the caller waits for every statement. */
async function finish(
  deps: ContentDeps,
  { body, brief, caller, requestId }: ChosenRequest,
  { lease, deck }: { lease: KeyLease; deck: GeneratedDeck },
): Promise<RawAnswer> {
  const now = deps.now();
  const { appId, type, externalId = null, metadata = null } = body;
  const origin = {
    accountId: caller.accountId,
    authorId: authorOf(caller),
    madeBy: byOf(caller),
    requestId,
  };
  const started = newContent(
    { id: lease.resourceId, appId, type, brief: body.brief ? brief : null, externalId, metadata, ...origin },
    now,
  );
  const content = finishedContent(started, deck, now);
  const images = deck.status === 'ready' ? deck.images : [];
  const data = toContent({ ...content, images: images.map(toEventImage) }, id =>
    deps.links.slideUrls(id, now),
  );
  const text = answerText(contracts.createContent, { data });
  await deps.db.transaction(async tx => {
    // The key comes first, because it is the fence.
    const completed = completeKey(tx, lease, { status: 201, body: text });
    const finished = finishGeneration(deps, tx, {
      content,
      images,
      write: row => insertOnce(tx, row),
    });
    await Promise.all([completed, finished]);
  });
  return new RawAnswer(201, text, jsonHeaders);
}
