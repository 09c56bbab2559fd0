import { notFound } from '@hookline/shared/contracts';
import { createApp, getApp, listApps } from '@hookline/shared/contracts/apps';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { readApp } from '../actions/import-app.ts';
import type { ContentDeps } from '../deps.ts';
import { type AppRow, findApp, insertApp, listApps as selectApps } from '../queries/apps.ts';

export function addAppRoutes(app: FastifyInstance, deps: ContentDeps): void {
  addWriteRoute(app, deps, createApp, {
    prepare: ({ caller, body }) => readApp(deps, caller, body),
    async write(tx, _input, row) {
      await insertApp(tx, row);
      return { data: withSeedHooks(row) };
    },
  });

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

/** Seed hooks stand on creation and on get, not in the list (D-47). */
function withSeedHooks(row: AppRow) {
  return { ...toApp(row), seedHooks: row.seedHooks };
}
