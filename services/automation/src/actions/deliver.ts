import type { DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { doLaterWork, type TellSpan } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import { noteAttempt } from '../automation-metrics.ts';
import { toEventObject } from '../delivery/event-object.ts';
import type { Sent } from '../delivery/lanes.ts';
import type { OutcomeWriter } from '../delivery/outcome-writer.ts';
import { liveSecrets } from '../delivery/secrets.ts';
import { type SendResult, testTimeoutMs } from '../delivery/sender.ts';
import type { AutomationDeps } from '../deps.ts';
import type { ClaimedDelivery } from '../queries/claim-deliveries.ts';
import {
  type AttemptRecord,
  failPendingDeliveries,
  recordDelivered,
  recordFailed,
} from '../queries/deliveries.ts';
import { noteFailure, noteSuccesses, type WebhookRow } from '../queries/webhooks.ts';
import { type Failures, isFailingTooLong, nextPauseMs, readRetryAfterMs } from '../rules/retry-plan.ts';
import { signatureHeaders } from '../rules/signatures.ts';
import { disableFailingWebhook } from './disable-webhook.ts';

/**
 * One attempt of a claimed delivery; what follows from its outcome is written behind it (D-25).
 * @throws only when the sender was closed meanwhile.
 */
export function deliver(
  deps: AutomationDeps,
  outcomes: OutcomeWriter,
  delivery: ClaimedDelivery,
  token: string,
): Promise<Sent> {
  const { requestId, traceparent, createdAt } = delivery.event;
  const asked = { requestId, traceparent, at: createdAt };
  return doLaterWork('deliver webhook', asked, deps.now(), tell =>
    attempt(deps, outcomes, delivery, token, tell),
  );
}

async function attempt(
  deps: AutomationDeps,
  outcomes: OutcomeWriter,
  delivery: ClaimedDelivery,
  token: string,
  tell: TellSpan,
): Promise<Sent> {
  const at = deps.now();
  const event = toEventObject(delivery.event, deps.links, at);
  const secrets = liveSecrets(deps.secrets, delivery.webhookId, delivery.secrets, at);
  const body = JSON.stringify(event);
  const result = await signAndSend(deps, { ...delivery, id: event.id }, secrets, at, body);
  const record = { id: delivery.id, token, attempt: toAttempt(result, at), now: deps.now() };
  tell(noteAttempt(result, delivery.attemptsMade, delivery.event.createdAt, record.now));
  if (result.error === null) {
    return { isTaken: true, recorded: outcomes.delivered({ ...record, webhookId: delivery.webhookId }) };
  }
  return {
    isTaken: false,
    recorded: outcomes.failed(() => recordFailure(deps, delivery, record, result)),
  };
}

/** Without its current secret an event is not sent: its receiver could not tell it from a forgery. */
async function signAndSend(
  { sender, log }: AutomationDeps,
  { id, webhookId, url }: { id: string; webhookId: string; url: string },
  secrets: readonly string[] | null,
  at: Date,
  body: string,
  withinMs?: number,
): Promise<SendResult & { isOurs?: true }> {
  if (secrets !== null)
    return await sender.send(url, signatureHeaders(secrets, id, at, body), body, withinMs);
  log.error({ webhookId }, 'a webhook was not sent: no key opens its signing secret');
  const error = 'not sent: the signing secret cannot be opened; rotate it';
  return { responseStatus: null, durationMs: 0, error, retryAfter: undefined, isOurs: true };
}

/** Writes successes, and that their endpoints do not fail any more. @returns true when something waited for one of them. */
export async function recordSuccesses(
  queue: Sql,
  records: readonly (AttemptRecord & { webhookId: string })[],
): Promise<boolean> {
  const isAwaited = await recordDelivered(queue, records);
  await noteSuccesses(queue, [...new Set(records.map(({ webhookId }) => webhookId))]);
  return isAwaited;
}

async function recordFailure(
  { db }: AutomationDeps,
  delivery: ClaimedDelivery,
  record: AttemptRecord,
  result: SendResult & { isOurs?: true },
): Promise<void> {
  const { now } = record;
  const pauseMs = nextPauseMs(
    {
      attemptsMade: delivery.attemptsMade + 1,
      responseStatus: result.responseStatus,
      retryAfterMs: readRetryAfterMs(result.retryAfter, now),
    },
    Math.random(),
  );
  await db.transaction(async tx => {
    // The endpoint's row first, as in every transaction that touches both.
    // What is wrong on our side says nothing about the endpoint.
    const failures = result.isOurs ? null : await noteFailure(tx, delivery.webhookId, now);
    const reason = disablingReason(result, failures, now);
    const goesOn = pauseMs !== null && reason === null;
    await recordFailed(tx, record, goesOn ? new Date(now.getTime() + pauseMs) : null);
    if (reason === null) return;
    await disableFailingWebhook(tx, delivery.webhookId, reason, now);
    await failPendingDeliveries(tx, delivery.webhookId, now);
  });
}

function disablingReason(result: SendResult, failures: Failures | null, now: Date): string | null {
  if (result.responseStatus === 410) return 'the endpoint answered 410 Gone';
  if (failures && isFailingTooLong(failures, now)) {
    return `every attempt failed for 5 days, since ${failures.since.toISOString()}`;
  }
  return null;
}

/**
 * Sends a marked test event once, with no retry and no row, also to a disabled endpoint: that is how its owner
 * finds out whether it may be enabled again.
 */
export async function sendTestEvent(
  deps: AutomationDeps,
  webhook: WebhookRow,
  id: string,
): Promise<DeliveryAttempt> {
  const at = deps.now();
  const time = at.toISOString();
  const body = JSON.stringify({
    id,
    type: 'webhook.test',
    timestamp: time,
    createdAt: time,
    sequence: 1,
    data: { test: true, webhookId: webhook.id },
  });
  const secrets = liveSecrets(deps.secrets, webhook.id, webhook.secrets, at);
  const event = { id, webhookId: webhook.id, url: webhook.url };
  return toAttempt(await signAndSend(deps, event, secrets, at, body, testTimeoutMs), at);
}

function toAttempt({ responseStatus, durationMs, error }: SendResult, at: Date): DeliveryAttempt {
  return { at: at.toISOString(), responseStatus, durationMs, error };
}
