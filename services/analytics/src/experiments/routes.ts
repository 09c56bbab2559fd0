import * as contracts from '@hookline/shared/contracts/experiments';
import { addRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { judge } from './judge.ts';
import { listNewest } from './queries.ts';

export function addExperimentRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
  addRoute(app, contracts.listExperiments, async ({ caller: { accountId }, query }) => {
    const page = { ...readPage(query), limit: query.limit ?? contracts.experimentsMax };
    const newest = await listNewest(db, accountId, page);
    const started = newest.filter(({ kept }) => kept === null);
    const judged = await judge(db, accountId, { started, now: now() });
    const byId = new Map(judged.map(one => [one.id, one]));
    const rows = newest.map(row => ({ ...row, createdAt: row.startedAt }));
    return toPage(rows, page, ({ id, kept }) => kept ?? byId.get(id)!);
  });
}
