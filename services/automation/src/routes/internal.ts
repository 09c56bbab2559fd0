import { ApiError } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { deleteWorkspace } from '../actions/delete-workspace.ts';
import { disableWorkOfKey } from '../actions/disable-work-of-key.ts';
import type { AutomationDeps } from '../deps.ts';
import { listAutomationsOfKey, setAwaitsConfirmation } from '../queries/automations.ts';
import { listFeedNews } from '../queries/feed.ts';
import { listWebhooksOfKey } from '../queries/webhooks.ts';
import { toWorkOfKey } from '../records/work-of-key.ts';

export function addInternalRoutes(
  app: FastifyInstance,
  { db, now, log }: Pick<AutomationDeps, 'db' | 'now' | 'log'>,
): void {
  addStandingRoute(app, {
    ...{ service: 'automation', db, now, log },
    remove: request => deleteWorkspace({ db }, request),
  });

  addInternalRoute(app, contracts.readFeeds, async ({ body }) => {
    const rows = await listFeedNews(db, body.feeds);
    return {
      feeds: rows.map(({ head, firstKept, events }, index) => {
        const after = body.feeds[index]?.after ?? null;
        return { head, events, isGap: after !== null && (firstKept > after + 1 || after > head) };
      }),
    };
  });

  addInternalRoute(app, contracts.listWorkOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    const [automations, webhooks] = await Promise.all([
      listAutomationsOfKey(db, caller.accountId, keyId),
      listWebhooksOfKey(db, caller.accountId, keyId),
    ]);
    return toWorkOfKey(keyId, { automations, webhooks });
  });

  addInternalRoute(app, contracts.askForConfirmations, async ({ body, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    await setAwaitsConfirmation(db, caller.accountId, body.isAsked);
    return {};
  });

  addInternalRoute(app, contracts.disableWorkOfKey, async ({ body, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return await disableWorkOfKey({ db, now }, caller.accountId, body);
  });
}
