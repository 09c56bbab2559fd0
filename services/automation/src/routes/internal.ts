import * as contracts from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { listFeedNews } from '../queries/feed.ts';

export function addInternalRoutes(app: FastifyInstance, { db }: Pick<AutomationDeps, 'db'>): void {
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
