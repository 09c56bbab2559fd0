import { defineService } from '@hookline/shared/service';
import { auditLogConsumer } from './consumers/audit-log.ts';
import { decksWaitingConsumer } from './consumers/decks-waiting.ts';
import { createDeps, defaultOptions, type GatewayOptions } from './deps.ts';
import { createGatewayServer } from './gate/server.ts';
import { watchGauges } from './metrics.ts';
import { addConsoleRoutes } from './routes/console.ts';
import { addEnterRoutes } from './routes/console-enter.ts';
import { addOidcRoutes } from './routes/console-oidc.ts';
import { addDeletionRoutes } from './routes/deletion.ts';
import { addDocumentRoutes } from './routes/documents.ts';
import { addExportRoutes } from './routes/exports.ts';
import { addInvitationRoutes } from './routes/invitations.ts';
import { addKeyRoutes } from './routes/keys.ts';
import { addMcpRoute } from './routes/mcp.ts';
import { addNotificationRoutes } from './routes/notifications.ts';
import { addOAuthRoutes } from './routes/oauth.ts';
import { addPasswordRoutes } from './routes/passwords.ts';
import { addSessionRoutes } from './routes/sessions.ts';
import { addStreamRoute } from './routes/stream.ts';
import { addUsageRoutes } from './routes/usage.ts';
import { addWorkspaceRoutes } from './routes/workspace.ts';
import { gatewaySettings } from './settings.ts';
import type { Patience } from './timings.ts';
import { deleteWorkspacesWorker } from './workers/delete-workspaces.ts';
import { pruneAuditWorker } from './workers/prune-audit.ts';
import { pruneChangesWorker } from './workers/prune-changes.ts';
import { sendMailsWorker } from './workers/send-mails.ts';
import { writeChangesWorker } from './workers/write-changes.ts';
import { writeKeyUseWorker } from './workers/write-key-use.ts';

/**
 * The gateway with other timeouts for slow clients or another folder of the console's files, for tests; and
 * with the one-time link that the process prints.
 */
export function createGateway({
  patience = {},
  ...options
}: Partial<Omit<GatewayOptions, 'patience'> & { patience: Partial<Patience> }> = {}) {
  return defineService({
    name: 'gateway',
    settings: gatewaySettings,
    deps: runtime =>
      createDeps(runtime, {
        ...defaultOptions,
        ...options,
        patience: { ...defaultOptions.patience, ...patience },
      }),
    routes: [
      addSessionRoutes,
      addPasswordRoutes,
      addWorkspaceRoutes,
      addInvitationRoutes,
      addNotificationRoutes,
      addDeletionRoutes,
      addExportRoutes,
      addKeyRoutes,
      addDocumentRoutes,
      addConsoleRoutes,
      addEnterRoutes,
      addOidcRoutes,
      addMcpRoute,
      addOAuthRoutes,
      addStreamRoute,
      addUsageRoutes,
    ],
    consumers: deps => [auditLogConsumer, decksWaitingConsumer(deps)],
    onlyConsumes: true,
    workers: [
      writeKeyUseWorker,
      sendMailsWorker,
      writeChangesWorker,
      pruneChangesWorker,
      pruneAuditWorker,
      deleteWorkspacesWorker,
    ],
    gauges: watchGauges,
    server: createGatewayServer,
  });
}

export { type ConsoleEntry, createConsoleEntry } from './console/entry.ts';

/** The public API: authentication, rate limits, and forwarding to the service that owns a route. */
export const gateway = createGateway();
