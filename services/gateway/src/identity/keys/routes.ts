import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/auth';
import { listSchedulesOfKey, listWorkOfKey } from '@hookline/shared/contracts/internal';
import { answerText, bareCaller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { addOwnRoute, addOwnWriteRoute } from '../sessions/own-route.ts';
import { byOf, contextOf, sessionOf } from '../sessions/session-of.ts';
import { scopesOfRole } from '../standing/roles.rules.ts';
import { disableWorkOfKey } from './disable-work.ts';
import { mintKey } from './mint.ts';
import { hasApiKey, type KeyOwner, listApiKeys } from './queries.ts';
import { toApiKey } from './record.ts';
import { revokeKey } from './revoke.ts';

export function addKeyRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  addOwnWriteRoute(app, deps, contracts.createKey, {
    async write(tx, { body, request }) {
      const { row, key } = await mintKey(deps, contextOf(deps, tx, request), body);
      return { data: { ...toApiKey(row), key } };
    },
    // A replay cannot contain the key: it is not stored.
    keep: ({ data: { key: _, ...record } }) => answerText(contracts.createKey, { data: record }),
  });

  addOwnRoute(app, contracts.listKeys, async ({ query, request }) => {
    const page = readPage(query);
    return toPage(await listApiKeys(deps.db, ownerOf(request), page), page, toApiKey);
  });

  addOwnRoute(app, contracts.getWorkOfKey, async ({ caller, params: { id }, request }) => {
    if (!(await hasApiKey(deps.db, ownerOf(request), id))) throw notFound('key');
    const asked = { body: { keyId: id }, caller: bareCaller({ ...caller, scopes: [] }) };
    const [work, waiting] = await Promise.all([
      deps.peers.call(listWorkOfKey, asked),
      deps.peers.call(listSchedulesOfKey, asked),
    ]);
    const readsWebhooks = scopesOfRole(sessionOf(request).role).includes('webhooks:write');
    return { data: { ...work, ...waiting, webhooks: readsWebhooks ? work.webhooks : [] } };
  });

  addOwnRoute(app, contracts.revokeKey, async ({ params, query, request }) => {
    const by = byOf(deps, request);
    const key = { id: params.id, ...ownerOf(request) };
    const data = toApiKey(await revokeKey(deps, by, key));
    if (query.withWhatItMade !== 'true') return { data };
    const scopes = scopesOfRole(sessionOf(request).role);
    return { data: { ...data, disabled: await disableWorkOfKey(deps, by, { ...key, scopes }) } };
  });
}

/** The keys that the caller may see: for an owner, everyone's. */
function ownerOf(request: FastifyRequest): KeyOwner {
  const { accountId, role, userId } = sessionOf(request);
  return { accountId, createdByUser: role === 'owner' ? null : userId };
}
