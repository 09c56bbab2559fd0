import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import { addStandingRoute } from '@hookline/shared/leaving';
import type { FastifyInstance } from 'fastify';
import { deleteWorkspace } from '../actions/delete-workspace.ts';
import type { AutomationDeps } from '../deps.ts';
import { listFeedNews } from '../queries/feed.ts';

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
}
