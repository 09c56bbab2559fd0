import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { replayDelivery as replay } from '../queries/deliveries.ts';
import { lockWebhook } from '../queries/webhooks.ts';
import type { DeliveryRow } from '../records/delivery.ts';

/** Sends a delivery again, with a new series of attempts. @throws ApiError `not_found`, `invalid_request` */
export async function replayDelivery(
  deps: Pick<AutomationDeps, 'now'>,
  tx: Transaction,
  caller: Caller,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> {
  const webhook = await lockWebhook(tx, caller.accountId, webhookId);
  if (!webhook) throw notFound('webhook');
  if (webhook.status === 'disabled') {
    throw invalidRequest('status must be "enabled" for a replay; the webhook is disabled');
  }
  const delivery = await replay(tx, webhook.id, id, deps.now());
  if (!delivery) throw notFound('delivery');
  return delivery;
}
