import { notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { AutomationDeps } from '../deps.ts';
import { endDeliveries } from '../queries/ending-deliveries.ts';
import { lockFeedHead } from '../queries/feed.ts';
import { deleteWebhook as removeWebhook } from '../queries/webhooks.ts';

/** Deletes an endpoint and fails its pending deliveries. @throws ApiError `not_found` */
export function deleteWebhook(
  deps: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  return deps.db.transaction(async tx => {
    const now = deps.now();
    if (!(await removeWebhook(tx, caller.accountId, id, now))) throw notFound('webhook');
    await lockFeedHead(tx, caller.accountId);
    await endDeliveries(tx, [id], now);
  });
}
