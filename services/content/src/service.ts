import { defineService } from '@hookline/shared/service';
import { automationFiredConsumer } from './consumers/automation-fired.ts';
import { scheduleFinishedConsumer } from './consumers/schedule-finished.ts';
import { createDeps } from './deps.ts';
import { watchGauges } from './metrics.ts';
import { addApprovalRoutes } from './routes/approvals.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addContentRoutes } from './routes/content.ts';
import { addCreditRoutes } from './routes/credits.ts';
import { addImageRoutes } from './routes/images.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { addJobRoutes } from './routes/jobs.ts';
import { addPermitRoutes } from './routes/permits.ts';
import { addPictureRoutes } from './routes/pictures.ts';
import { addTemplateRoutes } from './routes/templates.ts';
import { addUpkeepRoutes } from './routes/upkeep.ts';
import { contentSettings } from './settings.ts';
import { fetchScreenshotsWorker } from './workers/fetch-screenshots.ts';
import { generateQueuedWorker } from './workers/generate-queued.ts';
import { pruneOldWorker } from './workers/prune-old.ts';
import { reapImagesWorker } from './workers/reap-images.ts';
import { releaseReservationsWorker } from './workers/release-reservations.ts';

/** Apps, content, approvals, send permits, jobs, the credit ledger, slide images. */
export const content = defineService({
  name: 'content',
  settings: contentSettings,
  deps: createDeps,
  routes: [
    addAppRoutes,
    addPictureRoutes,
    addTemplateRoutes,
    addContentRoutes,
    addInternalRoutes,
    addApprovalRoutes,
    addJobRoutes,
    addCreditRoutes,
    addImageRoutes,
    addPermitRoutes,
    addUpkeepRoutes,
  ],
  consumers: deps => [automationFiredConsumer(deps), scheduleFinishedConsumer(deps)],
  workers: [
    generateQueuedWorker,
    fetchScreenshotsWorker,
    releaseReservationsWorker,
    pruneOldWorker,
    reapImagesWorker,
  ],
  gauges: watchGauges,
});
