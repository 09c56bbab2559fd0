import type { Logger } from '@hookline/shared/kernel';
import { type Database, openDatabase, openWakeUp } from '@hookline/shared/postgres';
import type { Consumer } from '@hookline/shared/service';
import { watchAutomation } from '../automation-metrics.ts';
import { automationConsumers } from '../consumers/registry.ts';
import type { AutomationDeps, AutomationRuntime } from '../deps.ts';
import { planChannel } from '../queries/automations.ts';
import { deliveryChannel } from '../queries/deliveries.ts';
import { webhookChannel } from '../queries/webhooks.ts';
import { startArmSetAside } from './arm-set-aside.ts';
import { startDeliverWebhooks } from './deliver-webhooks.ts';
import { startFireDue } from './fire-due.ts';
import { startPruneOld } from './prune-old.ts';
import { startReconcileFirings } from './reconcile-firings.ts';

export async function startWorkers(
  runtime: AutomationRuntime,
  deps: AutomationDeps,
): Promise<readonly Consumer[]> {
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
  const arm = startArmSetAside(deps);
  shutdown.add('workers', 'arm-set-aside', () => arm.stop());
  const queue = openDeliveryQueue(db.connectionString, log);
  shutdown.add('stores', 'delivery queue', () => queue.close());
  const deliverWebhooks = startDeliverWebhooks({ ...deps, queue });
  shutdown.add('workers', 'deliver-webhooks', () => deliverWebhooks.stop());
  wakeUp.on(deliveryChannel, () => deliverWebhooks.wake());
  wakeUp.on(webhookChannel, () => deliverWebhooks.refresh());
  watchAutomation(deps);
  const pruneOld = startPruneOld(deps);
  shutdown.add('workers', 'prune-old', () => pruneOld.stop());
  const reconcile = startReconcileFirings(deps);
  shutdown.add('workers', 'reconcile-firings', () => reconcile.stop());
  return automationConsumers(runtime.now);
}

/**
 * Connections of their own for claims, leases and successes, so that consumers and routes never make an outcome wait,
 * and without waiting for the disk: what a crash of Postgres takes back is sent again, under the same id. Whatever
 * must last (disabling, the feed, the routes) takes the service's pool.
 */
function openDeliveryQueue(connectionString: string, log: Logger): Database {
  const url = new URL(connectionString);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', `${given ? `${given} ` : ''}-c synchronous_commit=off`);
  return openDatabase({ url: url.href, connectionsMax: 4, name: 'hookline automation deliveries', log });
}
