import { defineService } from '@hookline/shared/service';
import { automationFiredConsumer } from './consumers/automation-fired.ts';
import { scheduleFinishedConsumer } from './consumers/schedule-finished.ts';
import { createDeps } from './deps.ts';
import { watchTables } from './metrics.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addContentRoutes } from './routes/content.ts';
import { addCreditRoutes } from './routes/credits.ts';
import { addImageRoutes } from './routes/images.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { contentSettings } from './settings.ts';
import { generateQueuedContent } from './workers/generate-queued.ts';
import { pruneOld } from './workers/prune-old.ts';
import { reapSlideImages } from './workers/reap-images.ts';
import { tidy } from './workers/tidy.ts';

/** Apps, content, approvals, send permits, jobs, the credit ledger, slide images. */
export const content = defineService({
  name: 'content',
  settings: contentSettings,
  deps: createDeps,
  routes: [addAppRoutes, addContentRoutes, addCreditRoutes, addImageRoutes, addInternalRoutes],
  consumers: deps => [automationFiredConsumer(deps), scheduleFinishedConsumer(deps)],
  workers: [generateQueuedContent, tidy, pruneOld, reapSlideImages],
  gauges: watchTables,
});
