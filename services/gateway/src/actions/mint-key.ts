import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Transaction } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { lockCountOfLiveKeys } from '../queries/api-keys.ts';
import { lockRole } from '../queries/standing.ts';
import type { ApiKeyRow } from '../records/api-key.ts';
import type { By } from '../records/audit-event.ts';
import type { SessionRow } from '../records/session.ts';
import { scopesOfRole } from '../rules/roles.ts';
import { storeKey } from './store-key.ts';

export type NewKey = { name: string; scopes: Scope[]; expiresAt?: string | undefined };

/**
 * Creates a key of the member who is signed in. Its plain text is returned here only.
 * @throws ApiError `missing_scope` for a scope that the member's role lacks, and for a former member;
 * `invalid_request` for a past expiry, and when the account has as many live keys as it may (D-67).
 */
export async function mintKey(
  deps: GatewayDeps,
  tx: Transaction,
  by: By,
  { accountId, userId }: Pick<SessionRow, 'accountId' | 'userId'>,
  { name, scopes, expiresAt }: NewKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  const now = deps.now();
  // That of the session may have been taken away since: the key would outlive it.
  const role = await lockRole(tx, accountId, userId);
  if (role === null) throw new ApiError('missing_scope', 'You are not a member of this workspace any more.');
  const lacking = scopes.filter(scope => !scopesOfRole(role).includes(scope));
  if (lacking.length > 0) {
    throw new ApiError('missing_scope', `Your role, ${role}, lacks the scope ${lacking.join(' and ')}.`);
  }
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  if (expiry && !(expiry.getTime() > now.getTime())) throw invalidRequest('expiresAt must be in the future');
  if ((await lockCountOfLiveKeys(tx, accountId, now)) >= deps.keysMax) {
    throw invalidRequest(
      `name cannot be given to another key: an account has at most ${deps.keysMax} live keys; revoke one`,
    );
  }
  return await storeKey(tx, () => by, { accountId, name, scopes, createdBy: userId, expiresAt: expiry, now });
}
