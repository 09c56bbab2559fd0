import {
  createWebhook as createWebhookRoute,
  deleteWebhook as deleteWebhookRoute,
  listDeliveries as listDeliveriesRoute,
  listEvents as listEventsRoute,
  listWebhooks as listWebhooksRoute,
  replayDelivery as replayDeliveryRoute,
  rotateWebhook as rotateWebhookRoute,
  testWebhook as testWebhookRoute,
  updateWebhook as updateWebhookRoute,
} from '@hookline/shared/contracts/webhooks';
import { addRoute } from '@hookline/shared/http/routes';
import { readPage, toPage } from '@hookline/shared/paging';
import type { FastifyInstance } from 'fastify';
import { sendTestEvent } from '../actions/deliver.ts';
import { readFeed } from '../actions/read-feed.ts';
import {
  createWebhook,
  deleteWebhook,
  replayDelivery,
  rotateSecret,
  updateWebhook,
  type WithSecret,
} from '../actions/write-webhooks.ts';
import { toEventObject } from '../delivery/event-object.ts';
import type { AutomationDeps } from '../deps.ts';
import { listDeliveries, toDelivery } from '../queries/deliveries.ts';
import { encodeFeedCursor } from '../queries/feed.ts';
import { getWebhook, listWebhooks, toWebhook } from '../queries/webhooks.ts';

export function addWebhookRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db } = deps;
  const withSecret = ({ row, secret }: WithSecret) => ({ data: { ...toWebhook(row), secret } });
  addRoute(app, createWebhookRoute, async ({ caller, body }) =>
    withSecret(await createWebhook(deps, caller, body)),
  );
  addRoute(app, listWebhooksRoute, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listWebhooks(db, caller.accountId, query.status, page);
    return toPage(rows, page, row => row, toWebhook);
  });
  addRoute(app, updateWebhookRoute, async ({ caller, params, body }) => ({
    data: toWebhook(await updateWebhook(deps, caller, params.id, body)),
  }));
  addRoute(app, deleteWebhookRoute, async ({ caller, params }) => {
    await deleteWebhook(deps, caller, params.id);
    return { data: { id: params.id, deleted: true as const } };
  });
  addRoute(app, rotateWebhookRoute, async ({ caller, params, body }) =>
    withSecret(await rotateSecret(deps, caller, params.id, body.overlapHours)),
  );
  addRoute(app, testWebhookRoute, async ({ caller, params }) => ({
    data: await sendTestEvent(deps, await getWebhook(db, caller.accountId, params.id)),
  }));
  addRoute(app, listDeliveriesRoute, async ({ caller, params, query }) => {
    const webhook = await getWebhook(db, caller.accountId, params.id);
    const page = readPage(query);
    const rows = await listDeliveries(db, webhook.id, query.status, page);
    return toPage(rows, page, row => row, toDelivery);
  });
  addRoute(app, replayDeliveryRoute, async ({ caller, params }) => ({
    data: toDelivery(await replayDelivery(deps, caller, params.id, params.deliveryId)),
  }));
}

export function addEventRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { links, now } = deps;
  addRoute(app, listEventsRoute, async ({ caller, query }) => {
    const { rows, position } = await readFeed(deps, caller.accountId, query.after, query.limit);
    const at = now();
    return {
      data: rows.map(row => toEventObject(row, links, at)),
      nextCursor: encodeFeedCursor(position),
    };
  });
}
