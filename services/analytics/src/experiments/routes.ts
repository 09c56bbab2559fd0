import * as contracts from '@hookline/shared/contracts/experiments';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AnalyticsDeps } from '../deps.ts';
import { judge } from './judge.ts';
import { listNewest } from './queries.ts';

export function addExperimentRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
  addRoute(app, contracts.listExperiments, async ({ caller: { accountId } }) => {
    const newest = await listNewest(db, accountId);
    const started = newest.filter(({ kept }) => kept === null);
    const judged = await judge(db, accountId, { started, now: now() });
    const byId = new Map(judged.map(one => [one.id, one]));
    return { data: newest.map(({ id, kept }) => kept ?? byId.get(id)!) };
  });
}
