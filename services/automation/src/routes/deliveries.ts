import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/webhooks';
import { addRoute, addWriteRoute, type Caller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { replayDelivery, replayWebhook } from '../actions/replay-delivery.ts';
import type { AutomationDeps } from '../deps.ts';
import { listDeliveries } from '../queries/deliveries.ts';
import { findWebhook } from '../queries/webhooks.ts';
import { type ShownDelivery, toDelivery } from '../records/delivery.ts';
import type { WebhookRow } from '../records/webhook.ts';
import { eventReadsOf } from '../rules/event-reads.ts';

export function addDeliveryRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, links } = deps;

  const show = (caller: Caller, webhook: WebhookRow, delivery: ShownDelivery) =>
    toDelivery(delivery, links, { endpoint: webhook, caller: eventReadsOf(caller) });

  addRoute(app, contracts.listDeliveries, async ({ caller, params, query }) => {
    const webhook = await findWebhook(db, caller.accountId, params.id);
    if (!webhook) throw notFound('webhook');
    const page = readPage(query);
    const rows = await listDeliveries(db, webhook.id, query.status, page);
    return toPage(rows, page, delivery => show(caller, webhook, delivery));
  });

  addWriteRoute(app, deps, contracts.replayDelivery, {
    async write(tx, { caller, params }) {
      const replayed = await replayDelivery(deps, tx, caller, params.id, params.deliveryId);
      return { data: show(caller, replayed.webhook, replayed.delivery) };
    },
  });

  addWriteRoute(app, deps, contracts.replayWebhook, {
    write: async (tx, { caller, params, body }) => ({
      data: { replayed: await replayWebhook(deps, tx, caller, params.id, body) },
    }),
  });
}
