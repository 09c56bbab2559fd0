import { ApiError } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import { addStandingRoute, deleteRows } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { listAutomationsOfKey } from '../automations/queries.ts';
import type { AutomationDeps } from '../deps.ts';
import { listWebhooksOfKey } from '../webhooks/queries.ts';
import { deletionSteps } from './queries.ts';
import { disableWorkOfKey, toWorkOfKey } from './work-of-key.ts';

export function addInternalRoutes(
  app: FastifyInstance,
  { db, now, log }: Pick<AutomationDeps, 'db' | 'now' | 'log'>,
): void {
  addStandingRoute(app, {
    ...{ service: 'automation', db, now, log },
    remove: async ({ accountId, untilMs }) => ({
      isDone: await deleteRows(db, deletionSteps, accountId, untilMs),
      note: null,
    }),
  });

  addInternalRoute(app, contracts.listWorkOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    const [automations, webhooks] = await Promise.all([
      listAutomationsOfKey(db, caller.accountId, keyId),
      listWebhooksOfKey(db, caller.accountId, keyId),
    ]);
    return toWorkOfKey(keyId, { automations, webhooks });
  });

  addInternalRoute(app, contracts.disableWorkOfKey, async ({ body, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return await disableWorkOfKey({ db, now }, caller.accountId, body);
  });
}
