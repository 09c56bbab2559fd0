import { defineService } from '@hookline/shared/service';
import { createDeps, defaultOptions, type GatewayDeps, type GatewayOptions } from './deps.ts';
import { createGatewayServer } from './edge/gate/server.ts';
import { addUsageRoutes } from './edge/limits/routes.ts';
import type { Patience } from './edge-deps.ts';
import { auditLogConsumer } from './identity/audit/consumer.ts';
import { pruneAuditWorker } from './identity/audit/worker.ts';
import { addDeletionRoutes } from './identity/deletion/routes.ts';
import { deleteWorkspacesWorker } from './identity/deletion/worker.ts';
import { addExportRoutes } from './identity/export/routes.ts';
import { addOAuthRoutes } from './identity/grants/routes.ts';
import { addInvitationRoutes } from './identity/invitations/routes.ts';
import { addKeyRoutes } from './identity/keys/routes.ts';
import { writeKeyUseWorker } from './identity/keys/worker.ts';
import { mailsConsumer } from './identity/mail/consumer.ts';
import { addNotificationRoutes } from './identity/mail/routes.ts';
import { sendMailsWorker } from './identity/mail/worker.ts';
import { addPasskeyRoutes } from './identity/passkeys/routes.ts';
import { addPasswordRoutes } from './identity/passwords/routes.ts';
import { pushesConsumer } from './identity/push/consumer.ts';
import { addPushRoutes } from './identity/push/routes.ts';
import { sendPushesWorker } from './identity/push/worker.ts';
import { addReviewLinkRoutes } from './identity/review-links/routes.ts';
import { addSessionRoutes } from './identity/sessions/routes.ts';
import { startWeeksWorker } from './identity/week/worker.ts';
import { addWorkspaceRoutes } from './identity/workspaces/routes.ts';
import { settleSendingWorker } from './identity/workspaces/worker.ts';
import { watchGauges } from './metrics.ts';
import { gatewaySettings } from './settings.ts';
import { addEnterRoutes } from './site/console/enter-routes.ts';
import { addOidcRoutes } from './site/console/oidc-routes.ts';
import { addConsoleRoutes } from './site/console/routes.ts';
import { addDocumentRoutes } from './site/docs/routes.ts';
import { addMcpRoute } from './site/mcp/routes.ts';
import { addStreamRoute } from './site/stream/routes.ts';
import { writeChangesWorker } from './site/stream/worker.ts';
import { pruneChangesWorker } from './site/stream/worker-prune.ts';

/**
 * The gateway with other timeouts for slow clients or another folder of the console's files, for tests; and
 * with the one-time link that the process prints.
 */
export function createGateway({
  patience = {},
  ...options
}: Partial<Omit<GatewayOptions, 'patience'> & { patience: Partial<Patience> }> = {}) {
  return defineService<typeof gatewaySettings, GatewayDeps>({
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
      addPasskeyRoutes,
      addWorkspaceRoutes,
      addInvitationRoutes,
      addReviewLinkRoutes,
      addNotificationRoutes,
      addPushRoutes,
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
    consumers: deps => [auditLogConsumer, mailsConsumer(deps), pushesConsumer(deps)],
    onlyConsumes: true,
    workers: [
      writeKeyUseWorker,
      sendMailsWorker,
      startWeeksWorker,
      settleSendingWorker,
      sendPushesWorker,
      writeChangesWorker,
      pruneChangesWorker,
      pruneAuditWorker,
      deleteWorkspacesWorker,
    ],
    gauges: watchGauges,
    server: createGatewayServer,
  });
}

export { type ConsoleEntry, createConsoleEntry } from './site/console/entry.ts';

export const gateway = createGateway();
