import * as contracts from '@hookline/shared/contracts/experiments';
import { comparedDays, comparedMax } from '@hookline/shared/contracts/results';
import { addRoute } from '@hookline/shared/http';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { Sql } from '@hookline/shared/postgres';
import type { FastifyInstance } from 'fastify';
import { listSettled } from '../decks/queries.ts';
import type { AnalyticsDeps } from '../deps.ts';
import { judgeHooks } from './judge.rules.ts';
import { listDecks } from './queries.ts';
import type { ExperimentDeck } from './record.ts';

export function addExperimentRoutes(app: FastifyInstance, deps: AnalyticsDeps): void {
  addRoute(app, contracts.listExperiments, async ({ caller: { accountId } }) => {
    const decks = await listDecks(deps.db, accountId, contracts.experimentsMax);
    const experiments = Map.groupBy(decks, ({ experimentId }) => experimentId).values();
    const read = (own: ExperimentDeck[]) => readExperiment(deps.db, accountId, own, deps.now());
    return { data: await Promise.all([...experiments].map(read)) };
  });
}

async function readExperiment(
  sql: Sql,
  accountId: string,
  decks: readonly ExperimentDeck[],
  now: Date,
): Promise<contracts.Experiment> {
  const { experimentId: id, startedAt, readAfterHours, appId } = decks[0]!;
  const since = new Date(startedAt.getTime() - comparedDays * dayMs);
  const earlier = await listSettled(sql, accountId, { appId, since, until: startedAt, limit: comparedMax });
  const judged = judgeHooks(decks, earlier, { startedAt, readAfterHours, now });
  return { id, appId, readAfterHours, createdAt: startedAt.toISOString(), ...judged };
}
