import { ApiError, errorBody, notFound } from '@hookline/shared/contracts';
import { CreateContentBody, type Job } from '@hookline/shared/contracts/content';
import { type BatchOutcome, createContentBatch } from '@hookline/shared/contracts/content-batch';
import {
  answerText,
  byOf,
  type Caller,
  jsonHeaders,
  nullDropper,
  RawAnswer,
  replayAnswer,
} from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import { checker, newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import {
  canonicalJson,
  claimKey,
  claimOrWait,
  completeKey,
  type Transaction,
} from '@hookline/shared/postgres';
import { findApp } from '../apps/queries.ts';
import type { AppRow } from '../apps/record.ts';
import { insertContent } from '../contents/queries.ts';
import { toJob } from '../contents/record.ts';
import { keepReserved, reserveGeneration } from '../credits/charge.ts';
import type { ContentDeps } from '../deps.ts';
import { withTemplate } from '../pictures/choose.ts';
import { isGenerated, newContent, withClosingMode } from './generation.rules.ts';
import { giveTurn, notifyQueued } from './queries.ts';
import { waitsUntil } from './wait-again.rules.ts';

export type BatchRequest = {
  caller: Caller;
  body: { items: unknown[] };
  idempotencyKey: string;
  requestId: string;
};

/** The apps that items of one request named before. */
type Apps = Map<string, AppRow>;

/** How many items of one request said the same, by what they said. */
type Equals = Map<string, number>;

const checkItem = checker(CreateContentBody, 'item');
const dropNulls = nullDropper(CreateContentBody);

/**
 * Queues a content for each item, in a transaction of its own, which sets its credit aside. It is a repeat if each
 * was queued before.
 */
export async function createBatch(deps: ContentDeps, request: BatchRequest): Promise<RawAnswer> {
  const outcomes: BatchOutcome[] = [];
  const apps: Apps = new Map();
  const equals: Equals = new Map();
  let isRepeat = true;
  for (const item of request.body.items) {
    try {
      const { job, isReplay } = await queueItem(deps, request, { item, apps, equals });
      isRepeat &&= isReplay;
      outcomes.push({ job, error: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isRepeat = false;
      const { requestId: _, ...told } = errorBody(error, request.requestId).error;
      outcomes.push({ job: null, error: told });
    }
  }
  const text = answerText(createContentBatch, { data: { outcomes } });
  return isRepeat ? replayAnswer(202, text) : new RawAnswer(202, text, jsonHeaders);
}

/** The answer is stored under the item's own key; a refusal is not. */
async function queueItem(
  deps: ContentDeps,
  request: BatchRequest,
  { item, apps, equals }: { item: unknown; apps: Apps; equals: Equals },
): Promise<{ job: Job; isReplay: boolean }> {
  dropNulls?.(item);
  const body = checkItem(item);
  if (!isGenerated(body)) throw new ApiError('not_implemented', `Generation of ${body.type} is not wired.`);
  const { accountId } = request.caller;
  const said = sha256(canonicalJson(body)).toString('hex');
  const nth = (equals.get(said) ?? 0) + 1;
  equals.set(said, nth);
  const key = { accountId, route: 'createContentBatch', key: `${request.idempotencyKey}/${said}/${nth}` };
  const result = await claimOrWait(deps.db, async tx => {
    const now = deps.now();
    const resourceId = newId('content', now.getTime());
    const claim = await claimKey(tx, { ...key, body, resourceId, leaseMs: 0, now });
    if (claim.kind !== 'claimed') return claim;
    const job = await queue(deps, tx, { request, body, id: claim.resourceId, apps });
    await completeKey(tx, claim.lease, { status: 202, body: JSON.stringify(job) });
    return { kind: 'queued' as const, job };
  });
  if (result.kind === 'replay') return { job: JSON.parse(result.body), isReplay: true };
  return { job: result.job, isReplay: false };
}

async function queue(
  deps: ContentDeps,
  tx: Transaction,
  { request, body, id, apps }: { request: BatchRequest; body: CreateContentBody; id: string; apps: Apps },
): Promise<Job> {
  const { caller, requestId } = request;
  const { accountId } = caller;
  const { appId, type, brief, externalId = null, metadata = null } = body;
  const app = apps.get(appId) ?? (await findApp(tx, accountId, appId));
  if (!app) throw notFound('app');
  apps.set(appId, app);
  await reserveGeneration(deps, tx, { accountId, contentId: id, requestId, isResumed: false });
  const origin = { accountId, requestId, authorId: authorOf(caller), madeBy: byOf(caller) };
  const chosen = brief ? withClosingMode(await withTemplate(tx, app, brief)) : null;
  const made = { id, appId, type, brief: chosen, externalId, metadata, ...origin };
  const content = newContent(made, deps.now());
  await insertContent(tx, content);
  await keepReserved(deps, tx, { contentId: id, until: waitsUntil(await giveTurn(tx, content)) });
  notifyQueued(tx);
  return toJob(content);
}
