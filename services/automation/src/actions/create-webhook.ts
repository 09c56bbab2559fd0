import { randomBytes } from 'node:crypto';
import { invalidRequest } from '@hookline/shared/contracts';
import type { CreateWebhookBody } from '@hookline/shared/contracts/webhooks';
import { byOf, type Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { insertWebhook, lockCountOfWebhooks } from '../queries/webhooks.ts';
import type { WebhookRow } from '../records/webhook.ts';
import { eventReadsOf } from '../rules/event-reads.ts';
import { makeSecret, sealSecret } from '../rules/signing-secrets.ts';

// Bounded because each event is written once per endpoint of the account, in one transaction.
const webhooksMax = 100;

/** A webhook with its new secret, which is returned once. */
export type WithSecret = { row: WebhookRow; secret: string };

/** Registers an endpoint whose target is known to be public. @throws ApiError `invalid_request` */
export async function createWebhook(
  deps: Pick<AutomationDeps, 'now' | 'secretBox'>,
  tx: Transaction,
  caller: Caller,
  body: CreateWebhookBody,
): Promise<WithSecret> {
  const now = deps.now();
  const id = newId('webhook', now.getTime());
  const secret = makeSecret(randomBytes(32));
  const row: WebhookRow = {
    id,
    accountId: caller.accountId,
    url: body.url,
    events: body.events,
    status: 'enabled',
    disabledReason: null,
    secrets: [sealSecret(deps.secretBox, id, secret)],
    failingSince: null,
    ...eventReadsOf(caller),
    createdBy: byOf(caller),
    createdAt: now,
    updatedAt: now,
  };
  if ((await lockCountOfWebhooks(tx, caller.accountId)) >= webhooksMax) {
    throw invalidRequest(
      `url cannot be registered: an account has at most ${webhooksMax} webhooks; delete one`,
    );
  }
  await insertWebhook(tx, row, caller.keyId);
  return { row, secret };
}
