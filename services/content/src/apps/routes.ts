import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/apps';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { listUnreviewedPictures } from '../pictures/queries.ts';
import { changeApp, deleteApp, removePicture } from './change.ts';
import { importApp, readApp } from './import.ts';
import { findApp, listApps } from './queries.ts';
import { type AppRow, toAppWithSeedHooks, toListedApp } from './record.ts';
import { readAppAgain, refreshApp } from './refresh.ts';

export function addAppRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const imageUrl = (id: string) => deps.links.imageUrl(id, deps.now());
  const record = async (sql: Sql, row: AppRow) =>
    toAppWithSeedHooks(row, await listUnreviewedPictures(sql, row.id), imageUrl);

  addWriteRoute(app, deps, contracts.createApp, {
    prepare: ({ caller, body }) => readApp(deps, caller, body),
    write: async (tx, _input, row) => ({ data: await record(tx, await importApp(tx, row)) }),
  });

  addRoute(app, contracts.listApps, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listApps(deps.db, caller.accountId, query.externalId ?? null, page);
    return toPage(rows, page, row => toListedApp(row, imageUrl));
  });

  addRoute(app, contracts.getApp, async ({ caller, params }) => {
    const row = await findApp(deps.db, caller.accountId, params.id);
    if (!row) throw notFound('app');
    return { data: await record(deps.db, row) };
  });

  addRoute(app, contracts.updateApp, async request => ({
    data: await record(deps.db, await changeApp(deps, request)),
  }));

  addWriteRoute(app, deps, contracts.refreshApp, {
    prepare: ({ caller, params }) => readAppAgain(deps, caller, params.id),
    write: async (tx, { caller, params }, texts) => ({
      data: await record(
        tx,
        await refreshApp(tx, { accountId: caller.accountId, id: params.id, texts, at: deps.now() }),
      ),
    }),
  });

  addRoute(app, contracts.deleteApp, async request => {
    await deleteApp(deps, request);
    return { data: { id: request.params.id, deleted: true as const } };
  });

  addRoute(app, contracts.deletePicture, async request => {
    await removePicture(deps, request);
    return { data: { id: request.params.pictureId, deleted: true as const } };
  });
}
