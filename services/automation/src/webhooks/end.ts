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

/** @returns true if more deliveries wait for endpoints that were disabled or deleted */
export async function endNextDeliveries({ db, now }: EndDeps): Promise<boolean> {
  let hasMore = false;
  for (const id of await listEndingWebhooks(db)) {
    if (await db.transaction(tx => endMoreDeliveries(tx, id, now()))) hasMore = true;
  }
  return hasMore;
}

/** @returns false if more deliveries wait for the endpoint */
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

/** No endpoint receives `webhook.disabled`: callers register for the six public events. */
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
