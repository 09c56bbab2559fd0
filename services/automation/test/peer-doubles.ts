/**
 * Stand-ins for the internal routes of content and scheduling that this service calls. They check the caller
 * header like the real ones and know apps and accounts by owner.
 */

import { findApp, findPlatformAccount } from '@hookline/shared/contracts/internal';
import { addInternalRoute, createCallVerifier, createServiceServer } from '@hookline/shared/http';
import { createLogger, loadSettings } from '@hookline/shared/kernel';
import { signingKeysFor } from '@hookline/testing/service-harness';

export type PeerDoubles = {
  env: { CONTENT_URL: string; SCHEDULING_URL: string };
  addApp(accountId: string, appId: string): void;
  addAccount(accountId: string, id: string, appId?: string | null, kind?: 'api' | 'phone'): void;
  removeAccount(accountId: string, id: string): void;
  stop(): Promise<void>;
};

export async function startPeerDoubles(): Promise<PeerDoubles> {
  const apps = new Set<string>();
  const accounts = new Map<string, { id: string; appId: string | null; kind: 'api' | 'phone' }>();
  const content = createPeer('content');
  addInternalRoute(content, findApp, async ({ params, call }) => ({
    exists: apps.has(`${call.caller?.accountId} ${params.id}`),
  }));
  const scheduling = createPeer('scheduling');
  addInternalRoute(scheduling, findPlatformAccount, async ({ params, call }) => {
    const account = accounts.get(`${call.caller?.accountId} ${params.id}`);
    const privacyLevels = ['PUBLIC_TO_EVERYONE' as const, 'SELF_ONLY' as const];
    return { account: account ? { ...account, status: 'connected' as const, privacyLevels } : null };
  });
  return {
    env: {
      CONTENT_URL: await content.listen({ port: 0, host: '127.0.0.1' }),
      SCHEDULING_URL: await scheduling.listen({ port: 0, host: '127.0.0.1' }),
    },
    addApp: (accountId, appId) => void apps.add(`${accountId} ${appId}`),
    addAccount: (accountId, id, appId = null, kind = 'api') =>
      void accounts.set(`${accountId} ${id}`, { id, appId, kind }),
    removeAccount: (accountId, id) => void accounts.delete(`${accountId} ${id}`),
    async stop() {
      await Promise.all([content.close(), scheduling.close()]);
    },
  };
}

function createPeer(name: 'content' | 'scheduling') {
  const { SERVICE_SIGNING_KEYS } = loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: signingKeysFor(name),
  });
  return createServiceServer({
    log: createLogger({ service: name, level: 'silent' }),
    verifyCall: createCallVerifier(SERVICE_SIGNING_KEYS ?? [], name),
    readiness: [],
  });
}
