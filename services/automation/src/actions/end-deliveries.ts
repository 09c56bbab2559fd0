import type { AutomationDeps } from '../deps.ts';
import { endMoreDeliveries, listEndingWebhooks } from '../queries/ending-deliveries.ts';

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
