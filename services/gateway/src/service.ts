import { defineService } from '@hookline/shared/service';
import { createDeps, defaultOptions } from './deps.ts';
import { createGatewayServer } from './gate/server.ts';
import { watchGauges } from './metrics.ts';
import { addAuthRoutes } from './routes/auth.ts';
import { addConsoleRoutes } from './routes/console.ts';
import { addDocumentRoutes } from './routes/documents.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addWorkspaceRoutes } from './routes/workspace.ts';
import { gatewaySettings } from './settings.ts';
import type { Patience } from './timings.ts';
import { sendMailsWorker } from './workers/send-mails.ts';
import { writeKeyUseWorker } from './workers/write-key-use.ts';

/** The gateway with other timeouts for slow clients, or another folder of the console's files; for tests. */
export function createGateway({
  patience = {},
  consoleFolder = defaultOptions.consoleFolder,
}: {
  patience?: Partial<Patience>;
  consoleFolder?: string;
} = {}) {
  return defineService({
    name: 'gateway',
    settings: gatewaySettings,
    deps: runtime =>
      createDeps(runtime, { consoleFolder, patience: { ...defaultOptions.patience, ...patience } }),
    routes: [addAuthRoutes, addWorkspaceRoutes, addKeyRoutes, addDocumentRoutes, addConsoleRoutes],
    workers: [writeKeyUseWorker, sendMailsWorker],
    gauges: watchGauges,
    server: createGatewayServer,
  });
}

/** The public API: authentication, rate limits, and forwarding to the service that owns a route. */
export const gateway = createGateway();
