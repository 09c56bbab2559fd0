import * as contracts from '@hookline/shared/contracts/analytics';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { connectSource, disconnectSource, verifySource } from './connect.ts';
import { listSources } from './queries.ts';
import { toSource } from './record.ts';

export function addSourceRoutes(app: FastifyInstance, deps: AnalyticsDeps): void {
  addWriteRoute(app, deps, contracts.createSource, {
    prepare: ({ body }) => verifySource(deps, body),
    write: async (tx, { caller, body: { accessToken } }, user) => {
      const ctx = { tx, accountId: caller.accountId, now: deps.now() };
      return { data: toSource(await connectSource(deps, ctx, { user, accessToken })) };
    },
  });

  addRoute(app, contracts.listSources, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listSources(deps.db, caller.accountId, { status: query.status, page });
    return toPage(rows, page, toSource);
  });

  addRoute(app, contracts.deleteSource, async ({ caller, params: { id } }) => {
    await disconnectSource(deps, caller.accountId, id);
    return { data: { id, deleted: true as const } };
  });
}
