import * as contracts from '@hookline/shared/contracts/experiments';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { CountedDeck } from '../decks/ledger.rules.ts';
import type { AnalyticsDeps } from '../deps.ts';
import { judgeHooks } from './judge.rules.ts';
import { listDecks, listEarlier } from './queries.ts';
import type { ExperimentDeck } from './record.ts';

export function addExperimentRoutes(app: FastifyInstance, { db, now }: AnalyticsDeps): void {
  addRoute(app, contracts.listExperiments, async ({ caller: { accountId } }) => {
    const decks = await listDecks(db, accountId, contracts.experimentsMax);
    const experiments = Map.groupBy(decks, ({ experimentId }) => experimentId);
    const started = [...experiments.values()].flatMap(([first]) => first ?? []);
    const earlier = await listEarlier(db, accountId, started);
    return { data: [...experiments].map(([id, own]) => toExperiment(own, earlier.get(id) ?? [], now())) };
  });
}

function toExperiment(
  decks: readonly ExperimentDeck[],
  earlier: readonly CountedDeck[],
  now: Date,
): contracts.Experiment {
  const { experimentId: id, startedAt, readAfterHours, appId } = decks[0]!;
  const judged = judgeHooks(decks, earlier, { startedAt, readAfterHours, now });
  return { id, appId, readAfterHours, createdAt: startedAt.toISOString(), ...judged };
}
