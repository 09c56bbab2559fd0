import { notFound } from '@hookline/shared/contracts';
import { createSource, deleteSource, listSources } from '@hookline/shared/contracts/analytics';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { connectSource, verifySource } from '../actions/connect-source.ts';
import type { Parts } from '../parts.ts';
import {
  listSources as listSourceRows,
  deleteSource as removeSource,
  type SourceRow,
} from '../queries/sources.ts';

export function addSourceRoutes(app: FastifyInstance, parts: Parts): void {
  addWriteRoute(app, parts, createSource, {
    prepare: ({ body }) => verifySource(parts, body),
    write: async (tx, { caller, body }, user) => ({
      data: toSource(await connectSource(parts, tx, caller.accountId, body, user)),
    }),
  });

  addRoute(app, listSources, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listSourceRows(parts.db, caller.accountId, query.status, page);
    return toPage(rows, page, row => row, toSource);
  });

  addRoute(app, deleteSource, async ({ caller, params: { id } }) => {
    if (!(await removeSource(parts.db, caller.accountId, id))) throw notFound('source');
    return { data: { id, deleted: true as const } };
  });
}

function toSource({ createdAt, updatedAt, ...source }: SourceRow) {
  return { ...source, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
