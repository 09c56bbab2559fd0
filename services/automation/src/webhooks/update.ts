import { ApiError, notFound } from '@hookline/shared/contracts';
import type { PublicEventType } from '@hookline/shared/contracts/webhooks';
import type { Caller } from '@hookline/shared/http';
import type { AutomationDeps } from '../deps.ts';
import { eventReadsAfter } from '../feed/event-reads.rules.ts';
import { lockFeedHead } from '../feed/queries.ts';
import { requirePublicTarget } from './create.ts';
import { endAllDeliveries } from './end.ts';
import { findWebhook, lockWebhook, updateWebhook as writeWebhook } from './queries.ts';
import { endDeliveries, isEnding } from './queries-ending.ts';
import type { WebhookRow } from './record.ts';

export type WebhookChange = {
  url?: string | undefined;
  events?: PublicEventType[] | undefined;
  status?: 'enabled' | 'disabled' | undefined;
};

// Ends 75,000 deliveries or more: a batch of 5,000 takes 0.1 to 0.2 s.
const endingMs = 3_000;

/** Enabling or moving an endpoint clears its failures; disabling fails its pending deliveries. */
export async function updateWebhook(
  deps: AutomationDeps,
  { caller, id, change }: { caller: Caller; id: string; change: WebhookChange },
): Promise<WebhookRow> {
  if (change.url !== undefined) await requirePublicTarget(deps, change.url);
  if (change.status === 'enabled') await endFormerDeliveries(deps, caller, id);
  return await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockWebhook(tx, caller.accountId, id);
    if (!current) throw notFound('webhook');
    const status = change.status ?? current.status;
    const url = change.url ?? current.url;
    const isTurned = status !== current.status;
    if (isTurned && status === 'enabled' && (await isEnding(tx, id))) throw stillEnding();
    const changed: WebhookRow = {
      ...current,
      url,
      events: change.events ?? current.events,
      status,
      disabledReason: status === 'enabled' ? null : (current.disabledReason ?? 'disabled by its owner'),
      failingSince: isTurned || url !== current.url ? null : current.failingSince,
      ...(change.url === undefined ? {} : eventReadsAfter(current, change.url, caller)),
      updatedAt: now,
    };
    await writeWebhook(tx, changed, caller.keyId);
    if (isTurned && status === 'disabled') {
      await lockFeedHead(tx, caller.accountId);
      await endDeliveries(tx, [id], now);
    }
    return changed;
  });
}

/** Once the endpoint is enabled, they could not be told from its new ones, and would be sent. */
async function endFormerDeliveries(deps: AutomationDeps, caller: Caller, id: string): Promise<void> {
  const webhook = await findWebhook(deps.db, caller.accountId, id);
  if (webhook?.status === 'disabled') await endAllDeliveries(deps, id, endingMs);
}

function stillEnding(): ApiError {
  const message = 'Deliveries from before this webhook was disabled are still being ended; try again.';
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 5 });
}
