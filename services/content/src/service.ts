import { makeOnce } from '@hookline/shared/kernel';
import { defineService } from '@hookline/shared/service';
import { createDeps } from './deps.ts';
import { addAppRoutes } from './routes/apps.ts';
import { addContentRoutes } from './routes/content.ts';
import { addCreditRoutes } from './routes/credits.ts';
import { addImageRoutes } from './routes/images.ts';
import { addInternalRoutes } from './routes/internal.ts';
import { contentSettings } from './settings.ts';
import { startWorkers } from './workers/start-workers.ts';

const depsOf = makeOnce(createDeps);

/** Apps, content, approvals, send permits, jobs, the credit ledger, slide images. */
export const content = defineService({
  name: 'content',
  settings: contentSettings,
  async addRoutes(app, runtime) {
    const deps = await depsOf(runtime);
    addAppRoutes(app, deps);
    addContentRoutes(app, deps);
    addCreditRoutes(app, deps);
    addImageRoutes(app, deps);
    addInternalRoutes(app, deps);
  },
  startWorkers: async runtime => startWorkers(runtime, await depsOf(runtime)),
});
