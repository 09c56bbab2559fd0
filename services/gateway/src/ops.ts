/** Operator commands for users and API keys. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { revokeKey as revoke } from './actions/revoke-key.ts';
import { openRedisLink } from './adapters/redis-link.ts';
import { leaseMs } from './limits/admission.ts';
import { revokeInRedis } from './limits/redis.ts';
import { insertAudit } from './queries/audit-events.ts';
import { lockWorkspaceIfAny } from './queries/standing.ts';
import type { ApiKeyRow } from './records/api-key.ts';
import { byOperator } from './records/audit-event.ts';
import { toWorkspaceId } from './rules/workspace-id.ts';

export { createOwner } from './actions/create-owner.ts';
/** A key of any account. */
export { findApiKey } from './queries/api-keys.ts';
/** The user who signed up with an address; gives the account. */
export { findUserByEmail } from './queries/users.ts';

/**
 * How gateways learn of a revocation: through their Redis or, with keys in memory, when the lease of a copy
 * ends.
 */
export type Gateways = { redisUrl: string; log: Logger } | { areUp: boolean };

// Added to the lease of a gateway's copy: the time a record takes from Postgres into its memory.
const leaseMarginMs = 1_000;

/**
 * Revokes a key of any account. Resolves once no gateway admits it: at once, or after 6 s if running gateways
 * cannot be notified. Idempotent: a second call keeps the first time.
 * @throws ApiError `not_found`
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
/** What a deletion removes of a workspace, table by table. */
export { deletionSteps } from './queries/deletion.ts';
/** Deletions that wait or that a service has not confirmed. */
export { listDeletions } from './queries/workspace-deletions.ts';

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
    await insertAudit(tx, byOperator, new Date(), {
      accountId,
      action: 'operator.command',
      subject: { kind: 'workspace', id: toWorkspaceId(accountId) },
      detail,
    });
  });
}
