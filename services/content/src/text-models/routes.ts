import * as contracts from '@hookline/shared/contracts/text-model';
import { addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { ContentDeps } from '../deps.ts';
import { setTextModel, testTextModel } from './change.ts';
import { deleteTextModel, findTextModel } from './queries.ts';
import { toTextModel } from './record.ts';

export function addTextModelRoutes(app: FastifyInstance, deps: ContentDeps): void {
  const { db, textModels } = deps;

  addRoute(app, contracts.getTextModel, async ({ caller }) => ({
    data: toTextModel(await findTextModel(db, caller.accountId), textModels.installation),
  }));

  addRoute(app, contracts.setTextModel, async input => ({
    data: toTextModel(await setTextModel(deps, input), textModels.installation),
  }));

  addRoute(app, contracts.deleteTextModel, async ({ caller }) => {
    await deleteTextModel(db, caller.accountId);
    return { data: toTextModel(null, textModels.installation) };
  });

  addRoute(app, contracts.testTextModel, async input => ({ data: await testTextModel(deps, input) }));
}
