import * as contracts from '@hookline/shared/contracts/auth';
import { addRoute, addWriteRoute, answerText } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { mintKey } from '../actions/mint-key.ts';
import { revokeKey } from '../actions/revoke-key.ts';
import type { GatewayDeps } from '../deps.ts';
import { apiRoot } from '../public-api.ts';
import { type ApiKeyRow, listApiKeys } from '../queries/api-keys.ts';

export function addKeyRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addWriteRoute(
    app,
    deps,
    contracts.createKey,
    {
      async write(tx, { caller, body }) {
        const { row, key } = await mintKey(deps, tx, caller.accountId, body);
        return { data: { ...toRecord(row), key } };
      },
      // Nobody can show the key again.
      keep: ({ data: { key: _, ...record } }) => answerText(contracts.createKey, { data: record }),
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.listKeys,
    async ({ caller, query }) => {
      const page = readPage(query);
      return toPage(await listApiKeys(deps.db, caller.accountId, page), page, row => row, toRecord);
    },
    apiRoot,
  );

  addRoute(
    app,
    contracts.revokeKey,
    async ({ caller, params }) => ({ data: toRecord(await revokeKey(deps, caller.accountId, params.id)) }),
    apiRoot,
  );
}

function toRecord(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
