import { defineService } from '@hookline/shared/service';
import { addApprovalRoutes } from './approvals/routes.ts';
import { lessonsConsumer } from './apps/consumer.ts';
import { addAppRoutes } from './apps/routes.ts';
import { addCommentRoutes } from './comments/routes.ts';
import { addInternalRoutes } from './contents/internal-routes.ts';
import { addContentRoutes } from './contents/routes.ts';
import { addCreditRoutes } from './credits/routes.ts';
import { releaseReservationsWorker } from './credits/worker.ts';
import { addTemplateRoutes } from './decks/routes.ts';
import { createDeps } from './deps.ts';
import { addExperimentRoutes } from './experiments/routes.ts';
import { addImageRoutes } from './images/routes.ts';
import { reapImagesWorker } from './images/worker.ts';
import { automationFiredConsumer } from './jobs/consumer.ts';
import { addJobRoutes } from './jobs/routes.ts';
import { generateQueuedWorker } from './jobs/worker.ts';
import { watchGauges } from './metrics.ts';
import { scheduleFinishedConsumer } from './permits/consumer.ts';
import { addPermitRoutes } from './permits/routes.ts';
import { addPictureRoutes } from './pictures/routes.ts';
import { fetchScreenshotsWorker } from './pictures/worker.ts';
import { contentSettings } from './settings.ts';
import { addTextModelRoutes } from './text-models/routes.ts';
import { addUpkeepRoutes } from './upkeep/routes.ts';
import { pruneOldWorker } from './upkeep/worker.ts';

export const content = defineService({
  name: 'content',
  settings: contentSettings,
  deps: createDeps,
  routes: [
    addAppRoutes,
    addPictureRoutes,
    addTemplateRoutes,
    addTextModelRoutes,
    addContentRoutes,
    addInternalRoutes,
    addCommentRoutes,
    addApprovalRoutes,
    addJobRoutes,
    addExperimentRoutes,
    addCreditRoutes,
    addImageRoutes,
    addPermitRoutes,
    addUpkeepRoutes,
  ],
  consumers: deps => [automationFiredConsumer(deps), scheduleFinishedConsumer(deps), lessonsConsumer],
  workers: [
    generateQueuedWorker,
    fetchScreenshotsWorker,
    releaseReservationsWorker,
    pruneOldWorker,
    reapImagesWorker,
  ],
  gauges: watchGauges,
});
