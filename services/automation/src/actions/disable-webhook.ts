import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { insertFeedEvent } from '../queries/feed.ts';
import { disableWebhook } from '../queries/webhooks.ts';
import { toWebhook } from '../records/webhook.ts';

/**
 * Disables an endpoint that cannot be delivered to, and adds `webhook.disabled` to its owner's feed, with the
 * webhook as the API returns it. No endpoint receives it: callers register for the six public events.
 */
export async function disableFailingWebhook(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<void> {
  const disabled = await disableWebhook(tx, id, reason, now);
  if (!disabled) return;
  await insertFeedEvent(tx, {
    id: newId('event', now.getTime()),
    accountId: disabled.row.accountId,
    type: 'webhook.disabled',
    resource: `webhook:${id}`,
    sequence: disabled.sequence,
    data: toWebhook(disabled.row),
    createdAt: now,
  });
}
