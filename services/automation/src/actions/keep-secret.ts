import { createHash } from 'node:crypto';
import { ApiError } from '@hookline/shared/contracts';
import type { ResponseOf } from '@hookline/shared/contracts/route';
import type { createWebhook } from '@hookline/shared/contracts/webhooks';
import type { Replay } from '@hookline/shared/postgres';
import { liveSecrets } from '../delivery/secrets.ts';
import type { AutomationDeps } from '../deps.ts';
import { getWebhook } from '../queries/webhooks.ts';

type Answer = ResponseOf<typeof createWebhook>;

/** So long a repeat answers the secret; afterwards only its first answer has it. */
const secretShownMs = 10 * 60_000;

/** What an idempotency record stores in the place of a secret: the digest of 32 random bytes says nothing about them. */
export function withoutSecret({ data }: Answer): Answer {
  return { data: data.secret === undefined ? data : { ...data, secret: digestOf(data.secret) } };
}

/** The stored answer with the secret in its place, read from the webhook, or without it when it is too late for that. */
export async function restoreSecret(deps: AutomationDeps, accountId: string, kept: Replay): Promise<string> {
  const { data } = JSON.parse(kept.body) as Answer;
  const { secret: digest, ...record } = data;
  const now = deps.now();
  if (now.getTime() - kept.claimedAt.getTime() > secretShownMs) return JSON.stringify({ data: record });
  const webhook = await getWebhook(deps.db, accountId, data.id).catch(error => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  const secrets = webhook && liveSecrets(deps.secrets, webhook.id, webhook.secrets, now);
  const secret = secrets?.find(candidate => digestOf(candidate) === digest);
  return secret === undefined
    ? JSON.stringify({ data: record })
    : JSON.stringify({ data: { ...data, secret } });
}

function digestOf(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`;
}
