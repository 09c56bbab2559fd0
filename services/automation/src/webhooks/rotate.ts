import { randomBytes } from 'node:crypto';
import { appendEvent } from '@hookline/shared/bus';
import { notFound } from '@hookline/shared/contracts';
import { webhookSecretRotated } from '@hookline/shared/events';
import { byOf } from '@hookline/shared/http';
import type { AutomationDeps, WriteContext } from '../deps.ts';
import type { WithSecret } from './create.ts';
import { lockWebhook, updateWebhook } from './queries.ts';
import { makeSecret, rotateSecrets, sealSecret } from './signing-secrets.rules.ts';

const overlapHoursDefault = 24;

/** Creates a new secret. The earlier ones keep signing until their overlap ends. */
export async function rotateSecret(
  { secretBox }: Pick<AutomationDeps, 'secretBox'>,
  { tx, caller, now }: WriteContext,
  { id, overlapHours = overlapHoursDefault }: { id: string; overlapHours?: number | undefined },
): Promise<WithSecret> {
  const current = await lockWebhook(tx, caller.accountId, id);
  if (!current) throw notFound('webhook');
  const secret = makeSecret(randomBytes(32));
  const added = sealSecret(secretBox, id, secret);
  const secrets = rotateSecrets(current.secrets, added, { overlapHours, now });
  const row = { ...current, secrets, updatedAt: now };
  await updateWebhook(tx, row, caller.keyId);
  await appendEvent(tx, webhookSecretRotated, {
    accountId: caller.accountId,
    subject: id,
    source: 'automation',
    at: now,
    data: { overlapHours, by: byOf(caller) },
  });
  return { row, secret };
}
