import { feedStartMs, readFeeds } from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/webhooks';
import { addInternalRoute, addRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { eventReadsOf } from './event-reads.rules.ts';
import { listFeedNews } from './queries.ts';
import { readFeed } from './read.ts';
import { toEventObject } from './record.ts';

export function addEventRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, links, now } = deps;
  addRoute(app, contracts.listEvents, async ({ caller, query }) => {
    const { rows, ...cursors } = await readFeed(deps, caller.accountId, query);
    const at = now();
    const reads = eventReadsOf(caller);
    return {
      data: rows.map(row => toEventObject(row, { links, at, ...reads })),
      ...cursors,
    };
  });

  addInternalRoute(app, readFeeds, async ({ body }) => {
    const rows = await listFeedNews(db, body.feeds, new Date(now().getTime() - feedStartMs));
    return {
      feeds: rows.map(({ head, events }, index) => {
        const after = body.feeds[index]?.after ?? null;
        return { head, events, isGap: after !== null && hasGap(after, head, events) };
      }),
    };
  });
}

/** Positions have no gaps, unless events were removed. */
function hasGap(after: number, head: number, events: readonly { position: number }[]): boolean {
  const last = events.at(-1)?.position ?? head;
  return last - after !== events.length;
}
