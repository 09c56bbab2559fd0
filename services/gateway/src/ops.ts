/** Operator commands for users and API keys. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { leaseMs } from './edge/limits/admission.ts';
import { revokeInRedis } from './edge/limits/redis.ts';
import { openRedisLink } from './edge/limits/redis-link.ts';
import { insertAudit } from './identity/audit/queries.ts';
import { byOperator } from './identity/audit/record.ts';
import type { ApiKeyRow } from './identity/keys/record.ts';
import { revokeKey as revoke } from './identity/keys/revoke.ts';
import { lockWorkspaceIfAny } from './identity/standing/queries.ts';
import { toWorkspaceId } from './identity/standing/workspace.rules.ts';

export { findApiKey } from './identity/keys/queries.ts';
export { removePasskeys } from './identity/passkeys/manage.ts';
export { createOwner } from './identity/passwords/create-owner.ts';
/** The user who signed up with an address; gives the account. */
export { findUserByEmail } from './identity/users/queries.ts';

/**
 * How gateways learn of a revocation: through their Redis or, with keys in memory, when the lease of a copy
 * ends.
 */
export type Gateways = { redisUrl: string; log: Logger } | { areUp: boolean };

// A record takes so long from Postgres into a gateway's memory.
const leaseMarginMs = 1_000;

/**
 * Revokes a key of any account. Resolves once no gateway admits it: at once, or after 6 s if running gateways
 * cannot be notified. Idempotent: a second call keeps the first time.
 */
export async function revokeKey(
  db: Database,
  key: Pick<ApiKeyRow, 'id' | 'accountId'>,
  gateways: Gateways,
): Promise<ApiKeyRow> {
  const revokeBy = (notify: (keyHash: string) => Promise<void>): Promise<ApiKeyRow> =>
    revoke({ db, now: () => new Date(), admissions: { revoke: notify } }, byOperator, {
      accountId: key.accountId,
      id: key.id,
      createdByUser: null,
    });
  if ('areUp' in gateways) return await revokeBy(() => delay(gateways.areUp ? leaseMs + leaseMarginMs : 0));
  const link = await openRedisLink(gateways.redisUrl, gateways.log);
  try {
    return await revokeBy(keyHash => revokeInRedis(link, keyHash));
  } finally {
    await link.close();
  }
}
/** Deletions that wait or that a service has not confirmed. */
export { listDeletions } from './identity/deletion/queries.ts';
export { deletionSteps } from './identity/deletion/queries-rows.ts';

/**
 * Adds the row of an operator command that concerned an account. Nothing for an account without a workspace.
 */
export async function recordCommand(
  db: Database,
  accountId: string,
  detail: { command: string } & Record<string, unknown>,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockWorkspaceIfAny(tx, accountId))) return;
    const subject = { kind: 'workspace' as const, id: toWorkspaceId(accountId) };
    await insertAudit(
      { tx, by: byOperator, now: new Date() },
      { accountId, action: 'operator.command', subject, detail },
    );
  });
}
