import { defineService } from '@hookline/shared/service';
import { firingProgress } from './consumers/firing-progress.ts';
import { webhookEvents } from './consumers/webhook-events.ts';
import { createDeps } from './deps.ts';
import { watchBacklogs } from './metrics.ts';
import { addAutomationRoutes } from './routes/automations.ts';
import { addEventRoutes } from './routes/events.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';
import { automationSettings } from './settings.ts';
import { armAutomations } from './workers/arm-set-aside.ts';
import { deliverWebhooks } from './workers/deliver-webhooks.ts';
import { fireDue } from './workers/fire-due.ts';
import { pruneOld } from './workers/prune-old.ts';
import { reconcile } from './workers/reconcile-firings.ts';

/** Automations and their firings; webhook endpoints, deliveries, the event feed. */
export const automation = defineService({
  name: 'automation',
  settings: automationSettings,
  deps: createDeps,
  routes: [addAutomationRoutes, addWebhookRoutes, addEventRoutes],
  consumers: deps => [firingProgress(deps), webhookEvents(deps)],
  workers: [fireDue, armAutomations, deliverWebhooks, pruneOld, reconcile],
  gauges: watchBacklogs,
});
