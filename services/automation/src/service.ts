import { defineService } from '@hookline/shared/service';
import { automationSettings, createDeps } from './deps.ts';
import { addAutomationRoutes } from './routes/automations.ts';
import { addEventRoutes, addWebhookRoutes } from './routes/webhooks.ts';
import { startWorkers } from './workers/start-workers.ts';

/** Automations and their firings; webhook endpoints, deliveries, the event feed. */
export const automation = defineService({
  name: 'automation',
  settings: automationSettings,
  addRoutes(app, runtime) {
    const deps = createDeps(runtime);
    addAutomationRoutes(app, deps);
    addWebhookRoutes(app, deps);
    addEventRoutes(app, deps);
  },
  startWorkers,
});
