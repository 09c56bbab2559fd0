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
import type { Caller } from '@hookline/shared/http';
import { addRoute, addWriteRoute, answerText } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { Replay } from '@hookline/shared/postgres';
import type { FastifyInstance } from 'fastify';
import { restoreSecret, withoutSecret } from '../actions/keep-secret.ts';
import { readFeed } from '../actions/read-feed.ts';
import { testWebhook } from '../actions/test-webhook.ts';
import {
  createWebhook,
  deleteWebhook,
  replayDelivery,
  requirePublicTarget,
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
  const secretRules = {
    keep: (answer: ReturnType<typeof withSecret>) => answerText(createWebhookRoute, withoutSecret(answer)),
    restore: (kept: Replay, { caller }: { caller: Caller }) => restoreSecret(deps, caller.accountId, kept),
  };
  addWriteRoute(app, deps, createWebhookRoute, {
    prepare: ({ body }) => requirePublicTarget(deps, body.url),
    write: async (tx, { caller, body }) => withSecret(await createWebhook(deps, tx, caller, body)),
    ...secretRules,
  });
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
  addWriteRoute(app, deps, rotateWebhookRoute, {
    write: async (tx, { caller, params, body }) =>
      withSecret(await rotateSecret(deps, tx, caller, params.id, body.overlapHours)),
    ...secretRules,
  });
  addRoute(app, testWebhookRoute, ({ caller, params, idempotencyKey }) =>
    testWebhook(deps, caller, params.id, idempotencyKey),
  );
  addRoute(app, listDeliveriesRoute, async ({ caller, params, query }) => {
    const webhook = await getWebhook(db, caller.accountId, params.id);
    const page = readPage(query);
    const rows = await listDeliveries(db, webhook.id, query.status, page);
    return toPage(rows, page, row => row, toDelivery);
  });
  addWriteRoute(app, deps, replayDeliveryRoute, {
    write: async (tx, { caller, params }) => ({
      data: toDelivery(await replayDelivery(deps, tx, caller, params.id, params.deliveryId)),
    }),
  });
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
