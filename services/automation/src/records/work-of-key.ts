import type { AutomationRow } from './automation.ts';
import type { WebhookRow } from './webhook.ts';

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
