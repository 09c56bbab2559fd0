import { startConsumers } from '@hookline/shared/consumer';
import { defineService } from '@hookline/shared/service';
import { consumers } from './consumers/registry.ts';
import { addAnalyticsRoutes } from './routes/analytics.ts';

/** Published posts, their numbers on Instagram and YouTube, and how schedules ended. */
export const analytics = defineService({
  name: 'analytics',
  settings: [],
  addRoutes: addAnalyticsRoutes,
  async startWorkers({ db, bus, log }) {
    await startConsumers({ service: 'analytics', db, bus, log }, consumers);
  },
});
