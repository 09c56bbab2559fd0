import type { DeliveryAttempt } from '@hookline/shared/contracts/webhooks';
import { newId } from '@hookline/shared/ids';
import { toEventObject } from '../delivery/event-object.ts';
import { liveSecrets } from '../delivery/secrets.ts';
import type { SendResult } from '../delivery/sender.ts';
import type { AutomationDeps } from '../deps.ts';
import { type ClaimedDelivery, failPendingDeliveries, recordAttempt } from '../queries/deliveries.ts';
import { disableWebhook, noteFailure, noteSuccess, type WebhookRow } from '../queries/webhooks.ts';
import { isFailingTooLong, nextPauseMs, readRetryAfterMs } from '../rules/retry-plan.ts';
import { signatureHeaders } from '../rules/signatures.ts';

/** One attempt of a claimed delivery, and what follows from its outcome (decision 25). */
export async function deliver(deps: AutomationDeps, delivery: ClaimedDelivery, token: string): Promise<void> {
  const at = deps.now();
  const event = toEventObject(delivery.event, deps.links, at);
  const secrets = liveSecrets(deps.secrets, delivery.webhookId, delivery.secrets, at);
  const body = JSON.stringify(event);
  const headers = signatureHeaders(secrets, event.id, at, body);
  const result = await deps.sender.send(delivery.url, headers, body);
  const record = { id: delivery.id, token, attempt: toAttempt(result, at), now: deps.now() };
  if (result.error === null) {
    await recordAttempt(deps.db, { ...record, status: 'delivered', nextAttemptAt: null });
    await noteSuccess(deps.db, delivery.webhookId);
    return;
  }
  await recordFailure(deps, delivery, record, result);
}

async function recordFailure(
  { db }: AutomationDeps,
  delivery: ClaimedDelivery,
  record: { id: string; token: string; attempt: DeliveryAttempt; now: Date },
  result: SendResult,
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
    const failingSince = await noteFailure(tx, delivery.webhookId, now);
    const reason = disablingReason(result, failingSince, now);
    const goesOn = pauseMs !== null && reason === null;
    await recordAttempt(tx, {
      ...record,
      status: goesOn ? 'pending' : 'failed',
      nextAttemptAt: goesOn ? new Date(now.getTime() + pauseMs) : null,
    });
    if (reason === null) return;
    await disableWebhook(tx, delivery.webhookId, reason, now);
    await failPendingDeliveries(tx, delivery.webhookId, now);
  });
}

function disablingReason(result: SendResult, failingSince: Date | null, now: Date): string | null {
  if (result.responseStatus === 410) return 'the endpoint answered 410 Gone';
  if (isFailingTooLong(failingSince, now)) {
    return `every attempt failed for 5 days, since ${failingSince?.toISOString()}`;
  }
  return null;
}

/**
 * Sends a marked test event once, with no retry and no row, also to a disabled endpoint: that is how its owner
 * finds out whether it may be enabled again.
 */
export async function sendTestEvent(deps: AutomationDeps, webhook: WebhookRow): Promise<DeliveryAttempt> {
  const at = deps.now();
  const id = newId('event', at.getTime());
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
  return toAttempt(await deps.sender.send(webhook.url, signatureHeaders(secrets, id, at, body), body), at);
}

function toAttempt({ responseStatus, durationMs, error }: SendResult, at: Date): DeliveryAttempt {
  return { at: at.toISOString(), responseStatus, durationMs, error };
}
