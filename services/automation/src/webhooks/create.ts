import { randomBytes } from 'node:crypto';
import { invalidRequest } from '@hookline/shared/contracts';
import type { CreateWebhookBody } from '@hookline/shared/contracts/webhooks';
import { byOf } from '@hookline/shared/http';
import { resolvePublic } from '@hookline/shared/http/guarded-connect';
import { readTarget } from '@hookline/shared/http/target';
import { newId } from '@hookline/shared/kernel';
import type { AutomationDeps, WriteContext } from '../deps.ts';
import { eventReadsOf } from '../feed/event-reads.rules.ts';
import { insertWebhook, lockCountOfWebhooks } from './queries.ts';
import type { WebhookRow } from './record.ts';
import { makeSecret, sealSecret } from './signing-secrets.rules.ts';

// Each event is written once per endpoint of the account, in one transaction.
const webhooksMax = 100;

export type WithSecret = { row: WebhookRow; secret: string };

/** The target must have passed `requirePublicTarget`. */
export async function createWebhook(
  { secretBox }: Pick<AutomationDeps, 'secretBox'>,
  { tx, caller, now }: WriteContext,
  body: CreateWebhookBody,
): Promise<WithSecret> {
  const id = newId('webhook', now.getTime());
  const secret = makeSecret(randomBytes(32));
  const row: WebhookRow = {
    id,
    accountId: caller.accountId,
    url: body.url,
    events: body.events,
    status: 'enabled',
    disabledReason: null,
    secrets: [sealSecret(secretBox, id, secret)],
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

const hint =
  '; for a receiver on your machine run "hookline listen --forward-to localhost:3000", with its port';

/** Accepts a name that does not resolve now: every connection checks the address that it dials again. */
export async function requirePublicTarget(
  { allowedTargets, sender }: Pick<AutomationDeps, 'allowedTargets' | 'sender'>,
  url: string,
): Promise<void> {
  const { host, isExempt } = readTarget('url', url, allowedTargets, hint);
  if (isExempt) return;
  try {
    await resolvePublic(sender.resolve, host);
  } catch (error) {
    if ((error as Error).name === 'AddressRefusedError') {
      throw invalidRequest(
        `url must name a public host: it resolves to a private, local or special address${hint}`,
      );
    }
  }
}
