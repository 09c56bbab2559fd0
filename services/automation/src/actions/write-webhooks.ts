import { invalidRequest } from '@hookline/shared/contracts';
import type { CreateWebhookBody, PublicEventType } from '@hookline/shared/contracts/webhooks';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import { resolvePublic } from '../delivery/guarded-connect.ts';
import { newSecret, sealSecret } from '../delivery/secrets.ts';
import type { AutomationDeps } from '../deps.ts';
import { type DeliveryRow, failPendingDeliveries, replayDelivery as replay } from '../queries/deliveries.ts';
import { lockFeedHead } from '../queries/feed.ts';
import {
  countWebhooks,
  insertWebhook,
  lockWebhook,
  deleteWebhook as removeWebhook,
  type WebhookRow,
  updateWebhook as writeWebhook,
} from '../queries/webhooks.ts';
import { readWebhookUrl } from '../rules/webhook-url.ts';

const hourMs = 3_600_000;
const overlapHoursDefault = 24;
/** Endpoints of one account: each event is written once per endpoint, in one transaction. */
export const webhooksMax = 100;
// A header of a delivery holds one signature per live secret.
const secretsMax = 10;

export type WithSecret = { row: WebhookRow; secret: string };

/** Registers an endpoint whose target was found to be public. @throws ApiError `invalid_request` */
export async function createWebhook(
  deps: AutomationDeps,
  tx: Transaction,
  caller: Caller,
  body: CreateWebhookBody,
): Promise<WithSecret> {
  const now = deps.now();
  const id = newId('webhook', now.getTime());
  const secret = newSecret();
  const row: WebhookRow = {
    id,
    accountId: caller.accountId,
    url: body.url,
    events: body.events,
    status: 'enabled',
    disabledReason: null,
    secrets: [sealSecret(deps.secrets, id, secret)],
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  };
  if ((await countWebhooks(tx, caller.accountId)) >= webhooksMax) {
    throw invalidRequest(
      `url cannot be registered: an account has at most ${webhooksMax} webhooks; delete one`,
    );
  }
  await insertWebhook(tx, row);
  return { row, secret };
}

export type WebhookChange = {
  url?: string | undefined;
  events?: PublicEventType[] | undefined;
  status?: 'enabled' | 'disabled' | undefined;
};

/** Enabling forgets why and for how long it failed; disabling ends what waits. @throws ApiError `not_found`, `invalid_request` */
export async function updateWebhook(
  deps: AutomationDeps,
  caller: Caller,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  if (change.url !== undefined) await requirePublicTarget(deps, change.url);
  return await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockWebhook(tx, caller.accountId, id);
    const status = change.status ?? current.status;
    const isTurned = status !== current.status;
    const changed: WebhookRow = {
      ...current,
      url: change.url ?? current.url,
      events: change.events ?? current.events,
      status,
      disabledReason: status === 'enabled' ? null : (current.disabledReason ?? 'disabled by its owner'),
      failingSince: isTurned ? null : current.failingSince,
      updatedAt: now,
    };
    await writeWebhook(tx, changed);
    if (isTurned && status === 'disabled') {
      await lockFeedHead(tx, caller.accountId);
      await failPendingDeliveries(tx, id, now);
    }
    return changed;
  });
}

/** @throws ApiError `not_found` */
export function deleteWebhook({ db, now: clock }: AutomationDeps, caller: Caller, id: string): Promise<void> {
  return db.transaction(async tx => {
    const now = clock();
    await removeWebhook(tx, caller.accountId, id, now);
    await lockFeedHead(tx, caller.accountId);
    await failPendingDeliveries(tx, id, now);
  });
}

/** Makes a new secret; the ones before it sign too until their overlap ends. @throws ApiError `not_found`, `invalid_request` */
export async function rotateSecret(
  deps: AutomationDeps,
  tx: Transaction,
  caller: Caller,
  id: string,
  overlapHours = overlapHoursDefault,
): Promise<WithSecret> {
  const now = deps.now();
  const current = await lockWebhook(tx, caller.accountId, id);
  const secret = newSecret();
  const until = new Date(now.getTime() + overlapHours * hourMs).toISOString();
  const overlapping = current.secrets
    .map(entry => ({ ...entry, until: entry.until ?? until }))
    .filter(entry => new Date(entry.until) > now);
  if (overlapping.length >= secretsMax) {
    throw invalidRequest(
      `id names a webhook with ${secretsMax} secrets in overlap; rotate again when one has ended`,
    );
  }
  const secrets = [sealSecret(deps.secrets, id, secret), ...overlapping];
  const row = { ...current, secrets, updatedAt: now };
  await writeWebhook(tx, row);
  return { row, secret };
}

/** Sends a delivery again, with a new series of attempts. @throws ApiError `not_found`, `invalid_request` */
export async function replayDelivery(
  { now: clock }: AutomationDeps,
  tx: Transaction,
  caller: Caller,
  id: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const webhook = await lockWebhook(tx, caller.accountId, id);
  if (webhook.status === 'disabled') {
    throw invalidRequest('status must be "enabled" for a replay; the webhook is disabled');
  }
  return await replay(tx, webhook.id, deliveryId, clock());
}

/**
 * Refuses a target that is not public. A name that does not resolve now is let pass: every connection is checked
 * again on the address that it dials.
 */
export async function requirePublicTarget(
  { allowedTargets, sender }: AutomationDeps,
  url: string,
): Promise<void> {
  const { host, isExempt } = readWebhookUrl(url, allowedTargets);
  if (isExempt) return;
  try {
    await resolvePublic(sender.resolve, host);
  } catch (error) {
    if ((error as Error).name === 'AddressRefusedError') {
      throw invalidRequest('url must name a public host: it resolves to a private, local or special address');
    }
  }
}
