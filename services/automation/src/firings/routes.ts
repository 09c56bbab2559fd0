import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/automations';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { findAutomation } from '../automations/queries.ts';
import type { AutomationDeps } from '../deps.ts';
import { countFirings } from '../metrics.ts';
import { listFirings } from './queries.ts';
import { toFiring } from './record.ts';
import { runAutomation } from './run.ts';

export function addFiringRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  addWriteRoute(app, deps, contracts.runAutomation, {
    write: async (tx, { caller, params, idempotencyKey }) => ({
      data: toFiring(await runAutomation({ tx, caller, now: deps.now() }, params.id, idempotencyKey)),
    }),
    written: ({ data }) => countFirings([data]),
  });

  addRoute(app, contracts.listFirings, async ({ caller, params, query }) => {
    const automation = await findAutomation(deps.db, caller.accountId, params.id);
    if (!automation) throw notFound('automation');
    const page = readPage(query);
    const rows = await listFirings(deps.db, automation.id, { ...query, page });
    return toPage(rows, page, toFiring);
  });
}
