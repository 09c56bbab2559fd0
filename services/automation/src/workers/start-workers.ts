import { startConsumers } from '@hookline/shared/consumer';
import { openWakeUp } from '@hookline/shared/wake-up';
import { automationConsumers } from '../consumers/registry.ts';
import { type AutomationRuntime, createDeps } from '../deps.ts';
import { planChannel } from '../queries/automations.ts';
import { deliveryChannel } from '../queries/deliveries.ts';
import { webhookChannel } from '../queries/webhooks.ts';
import { startDeliverWebhooks } from './deliver-webhooks.ts';
import { startFireDue } from './fire-due.ts';
import { startPruneOld } from './prune-old.ts';

export async function startWorkers(runtime: AutomationRuntime): Promise<void> {
  const deps = createDeps(runtime);
  const { db, log, shutdown } = runtime;
  const wakeUp = openWakeUp(
    db.connectionString,
    'automation workers',
    [planChannel, deliveryChannel, webhookChannel],
    log,
  );
  shutdown.add('workers', 'automation wake-up', () => wakeUp.close());
  const fireDue = startFireDue(deps);
  shutdown.add('workers', 'fire-due', () => fireDue.stop());
  wakeUp.on(planChannel, () => fireDue.wake());
  const deliverWebhooks = startDeliverWebhooks(deps);
  shutdown.add('workers', 'deliver-webhooks', () => deliverWebhooks.stop());
  wakeUp.on(deliveryChannel, () => deliverWebhooks.wake());
  wakeUp.on(webhookChannel, () => deliverWebhooks.refresh());
  const pruneOld = startPruneOld(deps);
  shutdown.add('workers', 'prune-old', () => pruneOld.stop());
  await startConsumers(
    { service: 'automation', db, bus: runtime.bus, log },
    automationConsumers(runtime.now),
  );
}
