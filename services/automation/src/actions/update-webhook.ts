import { notFound } from '@hookline/shared/contracts';
import type { PublicEventType } from '@hookline/shared/contracts/webhooks';
import type { Caller } from '@hookline/shared/http';
import type { AutomationDeps } from '../deps.ts';
import { failPendingDeliveries } from '../queries/deliveries.ts';
import { lockFeedHead } from '../queries/feed.ts';
import { lockWebhook, updateWebhook as writeWebhook } from '../queries/webhooks.ts';
import type { WebhookRow } from '../records/webhook.ts';
import { eventReadsAfter } from '../rules/event-reads.ts';
import { requirePublicTarget } from './require-public-target.ts';

export type WebhookChange = {
  url?: string | undefined;
  events?: PublicEventType[] | undefined;
  status?: 'enabled' | 'disabled' | undefined;
};

/**
 * Changes an endpoint. Enabling clears its failures; disabling fails its pending deliveries.
 * @throws ApiError `not_found`, `invalid_request`
 */
export async function updateWebhook(
  deps: AutomationDeps,
  caller: Caller,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  if (change.url !== undefined) await requirePublicTarget(deps, change.url);
  return await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockWebhook(tx, caller.accountId, id);
    if (!current) throw notFound('webhook');
    const status = change.status ?? current.status;
    const isTurned = status !== current.status;
    const changed: WebhookRow = {
      ...current,
      url: change.url ?? current.url,
      events: change.events ?? current.events,
      status,
      disabledReason: status === 'enabled' ? null : (current.disabledReason ?? 'disabled by its owner'),
      failingSince: isTurned ? null : current.failingSince,
      ...(change.url === undefined ? {} : eventReadsAfter(current, change.url, caller)),
      updatedAt: now,
    };
    await writeWebhook(tx, changed, caller.keyId);
    if (isTurned && status === 'disabled') {
      await lockFeedHead(tx, caller.accountId);
      await failPendingDeliveries(tx, id, now);
    }
    return changed;
  });
}
