import * as contracts from '@hookline/shared/contracts/text-model';
import { addRoute, type Caller } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { setTextModel, testTextModel } from './change.ts';
import { deleteTextModel, findTextModel, saveLearns } from './queries.ts';
import { toTextModel } from './record.ts';

export function addTextModelRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const { db, textModels } = deps;

  const read = async ({ accountId }: Caller) => ({
    data: toTextModel(await findTextModel(db, accountId), textModels.installation),
  });

  addRoute(app, contracts.getTextModel, ({ caller }) => read(caller));

  addRoute(app, contracts.setTextModel, async input => ({
    data: toTextModel(await setTextModel(deps, input), textModels.installation),
  }));

  addRoute(app, contracts.deleteTextModel, async ({ caller }) => {
    await deleteTextModel(db, caller.accountId, deps.now());
    return await read(caller);
  });

  addRoute(app, contracts.changeTextModel, async ({ caller, body }) => {
    await saveLearns(db, caller.accountId, body.learns, deps.now());
    return await read(caller);
  });

  addRoute(app, contracts.testTextModel, async input => ({ data: await testTextModel(deps, input) }));
}
