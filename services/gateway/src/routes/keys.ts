import * as contracts from '@hookline/shared/contracts/auth';
import { answerText } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mintKey } from '../actions/mint-key.ts';
import { revokeKey } from '../actions/revoke-key.ts';
import type { GatewayDeps } from '../deps.ts';
import { listApiKeys } from '../queries/api-keys.ts';
import { toApiKey } from '../records/api-key.ts';
import { addOwnRoute, addOwnWriteRoute } from './own-route.ts';
import { byOf, sessionOf } from './session-of.ts';

export function addKeyRoutes(app: FastifyInstance, deps: GatewayDeps): void {
  addOwnWriteRoute(app, deps, contracts.createKey, {
    async write(tx, { body, request }) {
      const { row, key } = await mintKey(deps, tx, byOf(deps, request), sessionOf(request), body);
      return { data: { ...toApiKey(row), key } };
    },
    // A replay cannot contain the key: it is not stored.
    keep: ({ data: { key: _, ...record } }) => answerText(contracts.createKey, { data: record }),
  });

  addOwnRoute(app, contracts.listKeys, async ({ caller, query, request }) => {
    const page = readPage(query);
    return toPage(await listApiKeys(deps.db, caller.accountId, ownOnly(request), page), page, toApiKey);
  });

  addOwnRoute(app, contracts.revokeKey, async ({ caller, params, request }) => {
    const key = { accountId: caller.accountId, id: params.id, createdByUser: ownOnly(request) };
    return { data: toApiKey(await revokeKey(deps, byOf(deps, request), key)) };
  });
}

/** The member whose keys the caller may see; null: everyone's, for an owner. */
function ownOnly(request: FastifyRequest): string | null {
  const { role, userId } = sessionOf(request);
  return role === 'owner' ? null : userId;
}
