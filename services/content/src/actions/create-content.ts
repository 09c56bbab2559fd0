/**
 * `POST /content` in three phases: claim (key, content id, credit set aside), generate (no transaction open),
 * finish (charge or give back, content, event and stored reply in one transaction). A crash between phases can
 * repeat work under the same id, never a charge.
 */

import { appendEvent } from '@hookline/shared/bus';
import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { EventImage } from '@hookline/shared/contracts/content';
import { type CreateContentBody, createContent as contract } from '@hookline/shared/contracts/content';
import { jobCompleted } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { answerText, jsonHeaders, RawAnswer, replayAnswer } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import {
  type Claim,
  claimKey,
  claimOrWait,
  completeKey,
  type IdempotencyScope,
  type KeyLease,
  releaseKey,
} from '@hookline/shared/postgres';
import { RenderBusyError, SlideTextError } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';
import { type AppRow, findApp } from '../queries/apps.ts';
import { type ContentRow, insertContent } from '../queries/contents.ts';
import { insertImages } from '../queries/images.ts';
import { toContent, toJob, toOrigin } from '../rules/content-record.ts';
import { chargeGeneration, releaseGeneration, reserveGeneration } from './charge.ts';
import { type GeneratedDeck, generateDeck, generationMs } from './generate-deck.ts';

// The work must be over, one way or the other, before another request may resume it.
const leaseMs = generationMs + 12_000;

export type CreateContentRequest = {
  caller: Caller;
  body: CreateContentBody;
  idempotencyKey: string;
  requestId: string;
};

/** @throws ApiError `not_found`, `insufficient_credits`, `rate_limited`, `invalid_request`; each gives the key back. */
export async function createContent(deps: ContentDeps, request: CreateContentRequest): Promise<RawAnswer> {
  const scope: IdempotencyScope = {
    accountId: request.caller.accountId,
    route: contract.id,
    key: request.idempotencyKey,
  };
  const claim = await claimOrWait(deps.db, tx => claimRequest(deps, tx, request, scope));
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  const { lease } = claim;
  const deck = await generate(deps, request, lease, claim.app);
  try {
    return await finish(deps, request, lease, deck);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_credits') await releaseKey(deps.db, lease);
    throw error;
  }
}

type ContentClaim =
  | Exclude<Claim, { kind: 'claimed' }>
  | (Extract<Claim, { kind: 'claimed' }> & { app: AppRow });

/** A refusal rolls the claim back with everything else: 4xx are never stored (D-6). */
async function claimRequest(
  deps: ContentDeps,
  tx: Transaction,
  { body, requestId }: CreateContentRequest,
  scope: IdempotencyScope,
): Promise<ContentClaim> {
  const now = deps.now();
  const resourceId = newId('content', now.getTime());
  const [claim, app] = await Promise.all([
    claimKey(tx, { ...scope, body, resourceId, leaseMs, now }),
    findApp(tx, scope.accountId, body.appId),
  ]);
  if (claim.kind !== 'claimed') return claim;
  if (!app) throw notFound('app');
  if (isGenerated(body)) {
    const work = { accountId: scope.accountId, contentId: claim.resourceId, requestId };
    await reserveGeneration(deps, tx, work, claim.isResumed);
  }
  return { ...claim, app };
}

/** `illustrated` and `hook_video` rows are written as failed at once (API-4, rule 5). */
function isGenerated(body: CreateContentBody): boolean {
  return body.type === 'slideshow';
}

async function generate(
  deps: ContentDeps,
  request: CreateContentRequest,
  lease: KeyLease,
  app: AppRow,
): Promise<GeneratedDeck> {
  if (!isGenerated(request.body)) {
    return {
      status: 'failed',
      errorCode: 'not_implemented',
      errorMessage: `Generation of ${request.body.type} is not wired; nothing was charged.`,
    };
  }
  try {
    return await generateDeck(deps, lease.resourceId, app, request.body.brief ?? {});
  } catch (error) {
    await deps.db.transaction(async tx => {
      // Taken over meanwhile: key and credit are the next owner's.
      if (await releaseKey(tx, lease)) await releaseGeneration(tx, lease.resourceId);
    });
    if (error instanceof RenderBusyError) {
      const message = 'Too many slideshows are being drawn at this moment; try again.';
      throw new ApiError('service_unavailable', message, { retryAfterSeconds: 2 });
    }
    if (error instanceof SlideTextError) throw invalidRequest(`brief.hook cannot be drawn: ${error.message}`);
    throw error;
  }
}

/** The reply is made from what is written, not read back: each statement of this transaction is on the way of an answer. */
async function finish(
  deps: ContentDeps,
  request: CreateContentRequest,
  lease: KeyLease,
  deck: GeneratedDeck,
): Promise<RawAnswer> {
  const now = deps.now();
  const { accountId, resourceId: contentId } = lease;
  const content = { ...newContentRow(request, contentId, deck, now), images: imagesOf(deck) };
  const text = answerText(contract, { data: toContent(content, id => deps.links.imageUrl(id, now)) });
  await deps.db.transaction(async tx => {
    // One round trip for all. The key comes first, because it is the fence.
    await Promise.all([
      completeKey(tx, lease, { status: 201, body: text }),
      settleCredit(deps, tx, { accountId, contentId, requestId: request.requestId }, deck.status),
      insertNewContent(tx, content),
      deck.status === 'ready' && deck.images.length > 0
        ? insertImages(tx, contentId, 1, deck.images, now)
        : null,
      appendEvent(tx, jobCompleted, {
        accountId,
        subject: contentId,
        source: 'content',
        at: now,
        data: { job: toJob(content), origin: toOrigin(content) },
      }),
    ]);
  });
  return new RawAnswer(201, text, jsonHeaders);
}

async function settleCredit(
  deps: ContentDeps,
  tx: Transaction,
  work: { accountId: string; contentId: string; requestId: string },
  status: GeneratedDeck['status'],
): Promise<void> {
  if (status === 'failed') await releaseGeneration(tx, work.contentId);
  else if (!(await chargeGeneration(deps, tx, work))) throw new ApiError('insufficient_credits');
}

async function insertNewContent(tx: Transaction, content: ContentRow): Promise<void> {
  if (!(await insertContent(tx, content))) throw new Error(`${content.id} is there already`);
}

function imagesOf(deck: GeneratedDeck): EventImage[] {
  if (deck.status !== 'ready') return [];
  return deck.images.map(({ id, digest: _, ...image }) => ({ imageId: id, ...image }));
}

function newContentRow(
  { body, caller, requestId }: CreateContentRequest,
  id: string,
  deck: GeneratedDeck,
  now: Date,
): ContentRow {
  const isReady = deck.status === 'ready';
  return {
    id,
    accountId: caller.accountId,
    appId: body.appId,
    type: body.type,
    status: deck.status,
    approvalStatus: 'pending',
    brief: body.brief ?? null,
    result: isReady ? deck.result : null,
    archetype: isReady ? deck.archetype : null,
    language: isReady ? deck.language : null,
    version: 1,
    costCharged: isReady ? 1 : 0,
    notice: isGenerated(body) ? null : 'generation_not_wired',
    errorCode: isReady ? null : deck.errorCode,
    errorMessage: isReady ? null : deck.errorMessage,
    originAutomationId: null,
    originFiringId: null,
    originApprovalMode: null,
    requestId,
    decidedVersion: null,
    decision: null,
    decidedAt: null,
    decidedByKeyId: null,
    createdAt: now,
    updatedAt: now,
  };
}
