import { createApp, getApp, listApps } from '@hookline/shared/contracts/apps';
import { notFound } from '@hookline/shared/errors';
import { addRoute } from '@hookline/shared/http/routes';
import { readPage, toPage } from '@hookline/shared/paging';
import type { FastifyInstance } from 'fastify';
import { importApp } from '../actions/import-app.ts';
import type { ContentDeps } from '../deps.ts';
import { type AppRow, findApp, listApps as selectApps } from '../queries/apps.ts';

export function addAppRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addRoute(app, createApp, async ({ caller, body }) => ({
    data: withSeedHooks(await importApp(deps, caller, body)),
  }));

  addRoute(app, listApps, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await selectApps(deps.db, caller.accountId, page);
    return toPage(rows, page, row => row, toApp);
  });

  addRoute(app, getApp, async ({ caller, params }) => {
    const row = await findApp(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('app');
    return { data: withSeedHooks(row) };
  });
}

function toApp({ id, name, details, createdAt, updatedAt }: AppRow) {
  return { id, name, details, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Seed hooks stand on creation and on get, not in the list (decision 47). */
function withSeedHooks(row: AppRow) {
  return { ...toApp(row), seedHooks: row.seedHooks };
}
