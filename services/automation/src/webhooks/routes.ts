import { notFound } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/webhooks';
import { addRoute, addWriteRoute, answerText, type Caller } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { Replay } from '@hookline/shared/postgres';
import type { FastifyInstance } from 'fastify';
import type { AutomationDeps } from '../deps.ts';
import { createWebhook, requirePublicTarget, type WithSecret } from './create.ts';
import { deleteWebhook } from './end.ts';
import { restoreSecret, withoutSecret } from './keep-secret.ts';
import { findWebhook, listWebhooks } from './queries.ts';
import { toWebhook, type WebhookRow } from './record.ts';
import { rotateSecret } from './rotate.ts';
import { updateWebhook } from './update.ts';

export function addWebhookRoutes(app: FastifyInstance, deps: AutomationDeps): void {
  const { db, now } = deps;

  async function getWebhook(caller: Caller, id: string): Promise<WebhookRow> {
    const webhook = await findWebhook(db, caller.accountId, id);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  const withSecret = ({ row, secret }: WithSecret) => ({ data: { ...toWebhook(row), secret } });
  const secretSteps = {
    keep: (answer: ReturnType<typeof withSecret>) =>
      answerText(contracts.createWebhook, withoutSecret(answer)),
    restore: (kept: Replay, { caller }: { caller: Caller }) => restoreSecret(deps, caller.accountId, kept),
  };

  addWriteRoute(app, deps, contracts.createWebhook, {
    prepare: ({ body }) => requirePublicTarget(deps, body.url),
    write: async (tx, { caller, body }) =>
      withSecret(await createWebhook(deps, { tx, caller, now: now() }, body)),
    ...secretSteps,
  });

  addRoute(app, contracts.listWebhooks, async ({ caller, query }) => {
    const page = readPage(query);
    const rows = await listWebhooks(db, caller.accountId, { status: query.status, page });
    return toPage(rows, page, toWebhook);
  });

  addRoute(app, contracts.getWebhook, async ({ caller, params }) => ({
    data: toWebhook(await getWebhook(caller, params.id)),
  }));

  addRoute(app, contracts.updateWebhook, async ({ caller, params, body }) => ({
    data: toWebhook(await updateWebhook(deps, { caller, id: params.id, change: body })),
  }));

  addRoute(app, contracts.deleteWebhook, async ({ caller, params: { id } }) => {
    await deleteWebhook(deps, caller, id);
    return { data: { id, deleted: true as const } };
  });

  addWriteRoute(app, deps, contracts.rotateWebhook, {
    write: async (tx, { caller, params, body }) =>
      withSecret(await rotateSecret(deps, { tx, caller, now: now() }, { id: params.id, ...body })),
    ...secretSteps,
  });
}
