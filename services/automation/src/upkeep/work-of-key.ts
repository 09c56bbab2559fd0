import { pauseAutomationsOf } from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import type { AutomationDeps } from '../deps.ts';
import { lockFeedHead } from '../feed/queries.ts';
import { disableWebhooksOfKey } from '../webhooks/queries.ts';
import { endDeliveries } from '../webhooks/queries-ending.ts';
import type { WebhookRow } from '../webhooks/record.ts';

/** Ends what the caller may change of the work of a key. */
export function disableWorkOfKey(
  deps: Pick<AutomationDeps, 'db' | 'now'>,
  accountId: string,
  { keyId, ...may }: { keyId: string; automations: boolean; webhooks: boolean },
): Promise<{ automationIds: string[]; webhookIds: string[] }> {
  return deps.db.transaction(async tx => {
    const now = deps.now();
    const automationIds = may.automations ? await pauseAutomationsOf(tx, { accountId, of: keyId, now }) : [];
    const reason = 'the key that made or changed it was revoked';
    const webhookIds = may.webhooks ? await disableWebhooksOfKey(tx, { accountId, keyId, reason, now }) : [];
    if (webhookIds.length > 0) {
      await lockFeedHead(tx, accountId);
      await endDeliveries(tx, webhookIds, now);
    }
    return { automationIds, webhookIds };
  });
}

const changeBy = (keyId: string, { createdBy }: Pick<AutomationRow, 'createdBy'>) =>
  createdBy?.id === keyId ? ('created' as const) : ('changed' as const);

export function toWorkOfKey(
  keyId: string,
  { automations, webhooks }: { automations: readonly AutomationRow[]; webhooks: readonly WebhookRow[] },
) {
  return {
    automations: automations.map(row => ({
      id: row.id,
      appId: row.appId,
      status: row.status,
      change: changeBy(keyId, row),
    })),
    webhooks: webhooks.map(row => ({
      id: row.id,
      url: row.url,
      status: row.status,
      change: changeBy(keyId, row),
    })),
  };
}
