import { defineService } from '@hookline/shared/service';
import { addAutomationRoutes } from './automations/routes.ts';
import { armSetAsideWorker } from './automations/worker.ts';
import { webhookEventsConsumer } from './deliveries/consumer.ts';
import { addDeliveryRoutes } from './deliveries/routes.ts';
import { createDeps } from './deps.ts';
import { addEventRoutes } from './feed/routes.ts';
import { firingProgressConsumer } from './firings/consumer.ts';
import { addFiringRoutes } from './firings/routes.ts';
import { fireDueWorker, reconcileFiringsWorker } from './firings/worker.ts';
import { watchGauges } from './metrics.ts';
import { addTestRoutes } from './sending/routes.ts';
import { deliverWebhooksWorker } from './sending/worker.ts';
import { automationSettings } from './settings.ts';
import { addInternalRoutes } from './upkeep/routes.ts';
import { pruneOldWorker } from './upkeep/worker.ts';
import { addWebhookRoutes } from './webhooks/routes.ts';
import { endDeliveriesWorker } from './webhooks/worker.ts';

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
