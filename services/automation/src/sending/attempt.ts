import { AsyncResource } from 'node:async_hooks';
import type { DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { doLaterWork, type SetAttributes } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { findAttemptsMade, hasDeliveredSince, recordFailed } from '../deliveries/queries.ts';
import { makeDue } from '../deliveries/queries-queue.ts';
import type { AttemptRecord, ClaimedDelivery, SuccessRecord } from '../deliveries/record.ts';
import type { AutomationDeps } from '../deps.ts';
import { toEventObject } from '../feed/record.ts';
import { type AttemptResult, automationMetrics, countAttempt } from '../metrics.ts';
import { type SendResult, testTimeoutMs } from '../receivers/sender.ts';
import { signatureHeaders } from '../receivers/signatures.rules.ts';
import { disableFailingWebhook } from '../webhooks/end.ts';
import { lockEndpoint, markFailing, markHealthy } from '../webhooks/queries.ts';
import { endDeliveries } from '../webhooks/queries-ending.ts';
import type { Failures, WebhookRow } from '../webhooks/record.ts';
import { openSecrets } from '../webhooks/signing-secrets.rules.ts';
import { isFailingTooLong, nextPauseMs, readRetryAfterMs } from './retry-plan.rules.ts';

/**
 * Successes are written many per statement, failures one at a time. `isSent` is false if no key opens the
 * secret: that says nothing about the host.
 */
export type Attempt =
  | { isTaken: true; isSent: true; success: SuccessRecord }
  | { isTaken: false; isSent: boolean; recordFailure: () => Promise<void> };

type DeliverDeps = Pick<AutomationDeps, 'db' | 'log' | 'now' | 'links' | 'secretBox' | 'sender'>;

/** Makes one attempt of a claimed delivery (D-25). @throws only if the sender has been closed */
export function deliver(deps: DeliverDeps, delivery: ClaimedDelivery): Promise<Attempt> {
  const { requestId, traceparent, createdAt } = delivery.event;
  const origin = { requestId, traceparent, at: createdAt };
  return doLaterWork(automationMetrics.spans.deliver, origin, deps.now(), setAttributes =>
    attempt(deps, delivery, setAttributes),
  );
}

async function attempt(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  setAttributes: SetAttributes<typeof automationMetrics.spans.deliver>,
): Promise<Attempt> {
  const at = deps.now();
  const { id, token, webhookId, url, secrets, readsContent, readsSchedules } = delivery;
  const event = toEventObject(delivery.event, { links: deps.links, at, readsContent, readsSchedules });
  const message = { id: event.id, body: JSON.stringify(event), at };
  const result = await signAndSend(deps, { id: webhookId, url, secrets }, message);
  const record = { id, token, attempt: toAttempt(result, at), response: result.response, now: deps.now() };
  setAttributes(countAttempt(result, delivery, record.now));
  if (result.error === null) {
    const success = { ...record, webhookId, updatedAt: delivery.updatedAt };
    return { isTaken: true, isSent: true, success };
  }
  // The failure belongs to the request and span of the event, whoever writes it.
  const recordFailure = AsyncResource.bind(() => writeFailure(deps, delivery, { record, result }));
  return { isTaken: false, isSent: !result.isUnsigned, recordFailure };
}

/** Sends nothing without the current secret: the receiver could not distinguish the event from a forgery. */
async function signAndSend(
  { sender, secretBox, log }: Pick<AutomationDeps, 'sender' | 'secretBox' | 'log'>,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'secrets'>,
  { id, body, at, withinMs }: { id: string; body: string; at: Date; withinMs?: number },
): Promise<AttemptResult> {
  const secrets = openSecrets(secretBox, webhook, at);
  if (secrets !== null) {
    return await sender.send(webhook.url, signatureHeaders(secrets, id, at, body), body, withinMs);
  }
  log.error({ webhookId: webhook.id }, 'a webhook was not sent: no key opens its signing secret');
  return {
    responseStatus: null,
    durationMs: 0,
    error: 'not sent: the signing secret cannot be opened; rotate it',
    response: null,
    retryAfter: undefined,
    isUnsigned: true,
  };
}

/**
 * Counts a failed attempt against its endpoint once: a call after a commit without an answer writes nothing,
 * and neither does a worker whose delivery another one has taken over. An endpoint that was moved meanwhile does not
 * answer for its former address.
 */
export async function writeFailure(
  { db }: Pick<AutomationDeps, 'db'>,
  { webhookId, url }: Pick<ClaimedDelivery, 'webhookId' | 'url'>,
  { record, result }: { record: AttemptRecord; result: AttemptResult },
): Promise<void> {
  const { now } = record;
  await db.transaction(async tx => {
    // Every transaction that locks both locks the endpoint before its deliveries.
    const isMoved = (await lockEndpoint(tx, webhookId)) !== url;
    // A replay since the claim began a new series.
    const attemptsMade = await findAttemptsMade(tx, record.id);
    if (attemptsMade === null) return;
    const failed = {
      attemptsMade: attemptsMade + 1,
      responseStatus: result.responseStatus,
      retryAfterMs: readRetryAfterMs(result.retryAfter, now),
    };
    const pauseMs = nextPauseMs(failed, Math.random());
    const nextAttemptAt = pauseMs === null ? null : new Date(now.getTime() + pauseMs);
    if (!(await recordFailed(tx, record, nextAttemptAt))) return;
    // An attempt that could not be signed does not count against the endpoint.
    const failures = result.isUnsigned || isMoved ? null : await countFailure(tx, webhookId, now);
    const reason = isMoved ? null : disablingReason(result, failures, now);
    // A failed attempt may free later events of its resource.
    if (reason === null) return await makeDue(tx, [webhookId], now);
    await disableFailingWebhook(tx, { id: webhookId, reason, now });
    await endDeliveries(tx, [webhookId], now);
  });
}

async function countFailure(tx: Transaction, webhookId: string, now: Date): Promise<Failures | null> {
  const failures = await markFailing(tx, webhookId, now);
  if (failures === null || !isFailingTooLong(failures, now)) return failures;
  // A success clears the failures after it is written, and a crash in between leaves them.
  if (!(await hasDeliveredSince(tx, webhookId, failures.since))) return failures;
  await markHealthy(tx, [webhookId]);
  return await markFailing(tx, webhookId, now);
}

function disablingReason(result: SendResult, failures: Failures | null, now: Date): string | null {
  if (result.responseStatus === 410) return 'the endpoint answered 410 Gone';
  if (failures && isFailingTooLong(failures, now)) {
    return `every attempt failed for 5 days, since ${failures.since.toISOString()}`;
  }
  return null;
}

/** A disabled endpoint gets it too: its owner needs to find out if it can be enabled again. */
export async function sendTestEvent(
  deps: AutomationDeps,
  webhook: WebhookRow,
  id: string,
): Promise<DeliveryAttempt> {
  const at = deps.now();
  const time = at.toISOString();
  const data = { test: true, webhookId: webhook.id };
  const event = { id, type: 'webhook.test', timestamp: time, createdAt: time, sequence: 1, data };
  const message = { id, body: JSON.stringify(event), at, withinMs: testTimeoutMs };
  return toAttempt(await signAndSend(deps, webhook, message), at);
}

function toAttempt({ responseStatus, durationMs, error }: SendResult, at: Date): DeliveryAttempt {
  return { at: at.toISOString(), responseStatus, durationMs, error };
}
