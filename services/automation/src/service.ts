import { defineService } from '@hookline/shared/service';
import { firingProgressConsumer } from './consumers/firing-progress.ts';
import { webhookEventsConsumer } from './consumers/webhook-events.ts';
import { createDeps } from './deps.ts';
import { watchGauges } from './metrics.ts';
import { addAutomationRoutes } from './routes/automations.ts';
import { addDeliveryRoutes } from './routes/deliveries.ts';
import { addEventRoutes } from './routes/events.ts';
import { addFiringRoutes } from './routes/firings.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { addTestRoutes } from './routes/test-webhook.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';
import { automationSettings } from './settings.ts';
import { armSetAsideWorker } from './workers/arm-set-aside.ts';
import { deliverWebhooksWorker } from './workers/deliver-webhooks.ts';
import { endDeliveriesWorker } from './workers/end-deliveries.ts';
import { fireDueWorker, reconcileFiringsWorker } from './workers/fire-due.ts';
import { pruneOldWorker } from './workers/prune-old.ts';

/** Automations and their firings; webhook endpoints, deliveries, the event feed. */
export const automation = defineService({
  name: 'automation',
  settings: automationSettings,
  deps: createDeps,
  routes: [
    addAutomationRoutes,
    addFiringRoutes,
    addEventRoutes,
    addWebhookRoutes,
    addDeliveryRoutes,
    addTestRoutes,
    addInternalRoutes,
  ],
  consumers: deps => [firingProgressConsumer(deps), webhookEventsConsumer(deps)],
  workers: [
    fireDueWorker,
    armSetAsideWorker,
    deliverWebhooksWorker,
    endDeliveriesWorker,
    pruneOldWorker,
    reconcileFiringsWorker,
  ],
  gauges: watchGauges,
});
