import { notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { insertFeedEvent, lockFeedHead } from '../feed/queries.ts';
import { disableWebhook, deleteWebhook as removeWebhook } from './queries.ts';
import { endDeliveries, endMoreDeliveries, listEndingWebhooks } from './queries-ending.ts';
import { toWebhook } from './record.ts';

type EndDeps = Pick<AutomationDeps, 'db' | 'now'>;

/**
 * Fails what still waits for endpoints that were disabled or deleted: a batch of each.
 * @returns true if there is more.
 */
export async function endNextDeliveries({ db, now }: EndDeps): Promise<boolean> {
  let hasMore = false;
  for (const id of await listEndingWebhooks(db)) {
    if (await db.transaction(tx => endMoreDeliveries(tx, id, now()))) hasMore = true;
  }
  return hasMore;
}

/** Fails what still waits for an endpoint, in the time given. @returns false if there is more. */
export async function endAllDeliveries(
  { db, now }: EndDeps,
  webhookId: string,
  withinMs: number,
): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (await db.transaction(tx => endMoreDeliveries(tx, webhookId, now()))) {
    if (performance.now() >= untilMs) return false;
  }
  return true;
}

/** Deletes an endpoint and fails its pending deliveries. @throws ApiError `not_found` */
export function deleteWebhook(
  deps: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  return deps.db.transaction(async tx => {
    const now = deps.now();
    if (!(await removeWebhook(tx, { accountId: caller.accountId, id, now }))) throw notFound('webhook');
    await lockFeedHead(tx, caller.accountId);
    await endDeliveries(tx, [id], now);
  });
}

/**
 * Disables an endpoint that cannot be delivered to, and adds `webhook.disabled` to its owner's feed, with the
 * webhook as the API returns it. No endpoint receives it: callers register for the six public events.
 */
export async function disableFailingWebhook(
  tx: Transaction,
  disabling: { id: string; reason: string; now: Date },
): Promise<void> {
  const { id, now } = disabling;
  const disabled = await disableWebhook(tx, disabling);
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
