import type { ResponseOf } from '@hookline/shared/contracts/route';
import type * as contracts from '@hookline/shared/contracts/webhooks';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { Replay } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { findWebhook } from './queries.ts';
import { openSecrets } from './signing-secrets.rules.ts';

type Answer = ResponseOf<typeof contracts.createWebhook>;

/** A repeat returns the secret for this long; afterwards only the first answer has it. */
const secretShownMs = 10 * 60_000;

/** Idempotency records store the digest of a secret: that of 32 random bytes reveals nothing about them. */
export function withoutSecret({ data }: Answer): Answer {
  return { data: data.secret === undefined ? data : { ...data, secret: digestOf(data.secret) } };
}

/** Inserts the secret again for 10 min. */
export async function restoreSecret(
  deps: Pick<AutomationDeps, 'db' | 'now' | 'secretBox'>,
  accountId: string,
  kept: Replay,
): Promise<string> {
  const { data } = JSON.parse(kept.body) as Answer;
  const { secret: digest, ...record } = data;
  const now = deps.now();
  if (now.getTime() - kept.claimedAt.getTime() > secretShownMs) return JSON.stringify({ data: record });
  const webhook = await findWebhook(deps.db, accountId, data.id);
  const secrets = webhook && openSecrets(deps.secretBox, webhook, now);
  const secret = secrets?.find(candidate => digestOf(candidate) === digest);
  return secret === undefined
    ? JSON.stringify({ data: record })
    : JSON.stringify({ data: { ...data, secret } });
}

function digestOf(secret: string): string {
  return `sha256:${sha256(secret).toString('hex')}`;
}
