import * as contracts from '@hookline/shared/contracts/auth';
import { addRoute, addWriteRoute, answerText } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { mintKey } from '../actions/mint-key.ts';
import { revokeKey } from '../actions/revoke-key.ts';
import type { GatewayDeps } from '../deps.ts';
import { apiRoot } from '../public-api.ts';
import { listApiKeys } from '../queries/api-keys.ts';
import { toApiKey } from '../records/api-key.ts';

export function addKeyRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addWriteRoute(
    app,
    deps,
    contracts.createKey,
    {
      async write(tx, { caller, body }) {
        const { row, key } = await mintKey(deps, tx, caller.accountId, body);
        return { data: { ...toApiKey(row), key } };
      },
      // A replay cannot contain the key: it is not stored.
      keep: ({ data: { key: _, ...record } }) => answerText(contracts.createKey, { data: record }),
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.listKeys,
    async ({ caller, query }) => {
      const page = readPage(query);
      return toPage(await listApiKeys(deps.db, caller.accountId, page), page, toApiKey);
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.revokeKey,
    async ({ caller, params }) => ({ data: toApiKey(await revokeKey(deps, caller.accountId, params.id)) }),
    apiRoot,
  );
}
