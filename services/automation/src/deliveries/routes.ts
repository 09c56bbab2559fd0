import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/webhooks';
import { addRoute, addWriteRoute, type Caller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { eventReadsOf } from '../feed/event-reads.rules.ts';
import { findWebhook } from '../webhooks/queries.ts';
import type { WebhookRow } from '../webhooks/record.ts';
import { listDeliveries } from './queries.ts';
import { type ShownDelivery, toDelivery } from './record.ts';
import { replayDelivery, replayWebhook } from './replay.ts';

export function addDeliveryRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, links, now } = deps;

  const show = (caller: Caller, webhook: WebhookRow, delivery: ShownDelivery) =>
    toDelivery(delivery, links, { endpoint: webhook, caller: eventReadsOf(caller) });

  addRoute(app, contracts.listDeliveries, async ({ caller, params, query }) => {
    const webhook = await findWebhook(db, caller.accountId, params.id);
    if (!webhook) throw notFound('webhook');
    const page = readPage(query);
    const rows = await listDeliveries(db, webhook.id, { status: query.status, page });
    return toPage(rows, page, delivery => show(caller, webhook, delivery));
  });

  addWriteRoute(app, deps, contracts.replayDelivery, {
    async write(tx, { caller, params }) {
      const replayed = await replayDelivery({ tx, caller, now: now() }, params.id, params.deliveryId);
      return { data: show(caller, replayed.webhook, replayed.delivery) };
    },
  });

  addWriteRoute(app, deps, contracts.replayWebhook, {
    write: async (tx, { caller, params, body }) => ({
      data: { replayed: await replayWebhook({ tx, caller, now: now() }, params.id, body) },
    }),
  });
}
