/** What this schema stores of a workspace. Children before parents. */
import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';

export const deletionSteps: readonly DeletionStep[] = [
  where('firings', 'automation_id in (select id from automations where account_id = $1)'),
  ofAccount('automations'),
  where('deliveries', 'webhook_id in (select id from webhooks where account_id = $1)'),
  where('webhook_queue', 'webhook_id in (select id from webhooks where account_id = $1)'),
  ofAccount('webhooks'),
  ofAccount('feed_events'),
  ofAccount('feed_heads'),
  ofAccount('idempotency_keys'),
];
