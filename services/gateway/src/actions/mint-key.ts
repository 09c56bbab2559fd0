import { invalidRequest } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { GatewayDeps } from '../deps.ts';
import { insertApiKey, lockCountOfLiveKeys } from '../queries/api-keys.ts';
import type { ApiKeyRow } from '../records/api-key.ts';
import { hashApiKey, makeApiKey, visiblePrefix } from '../rules/api-key.ts';

export type NewKey = { name: string; scopes: Scope[]; expiresAt?: string | undefined };

/**
 * Creates a key. Its plain text is returned here only.
 * @throws ApiError `invalid_request` for a past expiry, and when the account has as many live keys as it may (D-67).
 */
export async function mintKey(
  deps: GatewayDeps,
  tx: Transaction,
  accountId: string,
  { name, scopes, expiresAt }: NewKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  const now = deps.now();
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  if (expiry && !(expiry.getTime() > now.getTime())) throw invalidRequest('expiresAt must be in the future');
  if ((await lockCountOfLiveKeys(tx, accountId, now)) >= deps.keysMax) {
    throw invalidRequest(
      `name cannot be given to another key: an account has at most ${deps.keysMax} live keys; revoke one`,
    );
  }
  const key = makeApiKey();
  const row = await insertApiKey(tx, {
    id: newId('key', now.getTime()),
    accountId,
    name,
    prefix: visiblePrefix(key),
    keyHash: Buffer.from(hashApiKey(key), 'base64url'),
    scopes,
    expiresAt: expiry,
    now,
  });
  return { row, key };
}
