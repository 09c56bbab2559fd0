import { makeOnce } from '@hookline/shared/kernel';
import { defineService } from '@hookline/shared/service';
import { createDeps } from './deps.ts';
import { addAutomationRoutes } from './routes/automations.ts';
import { addEventRoutes, addWebhookRoutes } from './routes/webhooks.ts';
import { automationSettings } from './settings.ts';
import { startWorkers } from './workers/start-workers.ts';

const depsOf = makeOnce(createDeps);

/** Automations and their firings; webhook endpoints, deliveries, the event feed. */
export const automation = defineService({
  name: 'automation',
  settings: automationSettings,
  addRoutes(app, runtime) {
    const deps = depsOf(runtime);
    addAutomationRoutes(app, deps);
    addWebhookRoutes(app, deps);
    addEventRoutes(app, deps);
  },
  startWorkers: runtime => startWorkers(runtime, depsOf(runtime)),
});
