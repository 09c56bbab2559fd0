import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { replaysMax } from '@hookline/shared/contracts/webhooks';
import type { WriteContext } from '../deps.ts';
import { lockWebhook } from '../webhooks/queries.ts';
import type { WebhookRow } from '../webhooks/record.ts';
import { replayDelivery as replay, replayDeliveries } from './queries.ts';
import type { ShownDelivery } from './record.ts';

export async function replayDelivery(
  ctx: WriteContext,
  webhookId: string,
  id: string,
): Promise<{ webhook: WebhookRow; delivery: ShownDelivery }> {
  const webhook = await lockEnabled(ctx, webhookId);
  const delivery = await replay(ctx.tx, { webhookId, id, now: ctx.now });
  if (!delivery) throw notFound('delivery');
  return { webhook, delivery };
}

/**
 * @returns the number of deliveries that are sent again: those that failed, unless `status` says otherwise
 */
export async function replayWebhook(
  ctx: WriteContext,
  webhookId: string,
  { since, status }: { since: string; status?: 'failed' | 'delivered' | 'all' | undefined },
): Promise<number> {
  await lockEnabled(ctx, webhookId);
  const statuses = status === 'all' ? (['delivered', 'failed'] as const) : [status ?? 'failed'];
  const chosen = { since: new Date(since), statuses, max: replaysMax, now: ctx.now };
  const replayed = await replayDeliveries(ctx.tx, webhookId, chosen);
  if (replayed > replaysMax) {
    throw invalidRequest('since must be a later time: more than 10,000 deliveries would be sent again');
  }
  return replayed;
}

async function lockEnabled({ tx, caller }: WriteContext, webhookId: string): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, caller.accountId, webhookId);
  if (!webhook) throw notFound('webhook');
  if (webhook.status === 'disabled') {
    throw invalidRequest('status must be "enabled" for a replay; the webhook is disabled');
  }
  return webhook;
}
