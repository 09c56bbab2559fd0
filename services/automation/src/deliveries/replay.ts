import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { replaysMax } from '@hookline/shared/contracts/webhooks';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { lockWebhook } from '../webhooks/queries.ts';
import type { WebhookRow } from '../webhooks/record.ts';
import { replayDelivery as replay, replayDeliveries } from './queries.ts';
import type { ShownDelivery } from './record.ts';

type ReplayDeps = Pick<AutomationDeps, 'now'>;

/** Sends a delivery again, with a new series of attempts. @throws ApiError `not_found`, `invalid_request` */
export async function replayDelivery(
  deps: ReplayDeps,
  tx: Transaction,
  caller: Caller,
  webhookId: string,
  id: string,
): Promise<{ webhook: WebhookRow; delivery: ShownDelivery }> {
  const webhook = await lockEnabled(tx, caller, webhookId);
  const delivery = await replay(tx, webhook.id, id, deps.now());
  if (!delivery) throw notFound('delivery');
  return { webhook, delivery };
}

/**
 * Sends deliveries again that were made at `since` or later, each with a new series of attempts: those that
 * failed, unless `status` says otherwise.
 * @returns their number
 * @throws ApiError `not_found`, `invalid_request` when the endpoint is disabled or more than 10,000 match
 */
export async function replayWebhook(
  deps: ReplayDeps,
  tx: Transaction,
  caller: Caller,
  webhookId: string,
  { since, status }: { since: string; status?: 'failed' | 'delivered' | 'all' | undefined },
): Promise<number> {
  const webhook = await lockEnabled(tx, caller, webhookId);
  const statuses = status === 'all' ? (['delivered', 'failed'] as const) : [status ?? 'failed'];
  const asked = { since: new Date(since), statuses, max: replaysMax, now: deps.now() };
  const replayed = await replayDeliveries(tx, webhook.id, asked);
  if (replayed > replaysMax) {
    throw invalidRequest('since must be a later time: more than 10,000 deliveries would be sent again');
  }
  return replayed;
}

async function lockEnabled(tx: Transaction, caller: Caller, webhookId: string): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, caller.accountId, webhookId);
  if (!webhook) throw notFound('webhook');
  if (webhook.status === 'disabled') {
    throw invalidRequest('status must be "enabled" for a replay; the webhook is disabled');
  }
  return webhook;
}
