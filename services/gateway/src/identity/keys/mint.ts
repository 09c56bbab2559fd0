import { randomBytes } from 'node:crypto';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Scope } from '@hookline/shared/contracts/scopes';
import { newId } from '@hookline/shared/kernel';
import type { Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAudit } from '../audit/queries.ts';
import type { By } from '../audit/record.ts';
import { lockSession } from '../sessions/queries.ts';
import type { SessionContext } from '../sessions/session-of.ts';
import { lockRole } from '../standing/queries.ts';
import { scopesOfRole } from '../standing/roles.rules.ts';
import { hashApiKey, makeApiKey, visiblePrefix } from './api-key.rules.ts';
import { insertApiKey, lockCountOfLiveKeys, type NewApiKey } from './queries.ts';
import type { ApiKeyRow } from './record.ts';

export type NewKey = { name: string; scopes: Scope[]; expiresAt?: string | undefined };

/** Creates a key of the member who is signed in. Its plain text is returned here only. */
export async function mintKey(
  deps: Pick<IdentityDeps, 'now' | 'keysMax'>,
  { tx, by, session: { id, accountId, userId } }: SessionContext,
  { name, scopes, expiresAt }: NewKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  const now = deps.now();
  // The session's role may have been taken away since, and the key would outlive it. It is locked before the session,
  // as where a member is removed.
  const role = await lockRole(tx, accountId, userId);
  if (role === null) throw new ApiError('missing_scope', 'You are not a member of this workspace any more.');
  // A reset that ends the session ends the keys that it made, this one too.
  if (!(await lockSession(tx, id))) throw new ApiError('unauthorized', 'The session has ended.');
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
  const newKey = { accountId, name, scopes, createdBy: userId, expiresAt: expiry, now };
  return await storeKey(tx, newKey, () => by);
}

type KeyToStore = Omit<NewApiKey, 'id' | 'prefix' | 'keyHash'>;

/** Stores a new key and its row of the audit log. What a key needs is checked before. */
export async function storeKey(
  tx: Transaction,
  { client, ...given }: KeyToStore & { client?: string },
  byOf: (row: ApiKeyRow) => By,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { accountId, name, scopes, expiresAt, now } = given;
  const key = makeApiKey(randomBytes(32));
  const row = await insertApiKey(tx, {
    ...given,
    id: newId('key', now.getTime()),
    prefix: visiblePrefix(key),
    keyHash: Buffer.from(hashApiKey(key), 'base64url'),
  });
  const subject = { kind: 'key' as const, id: row.id };
  const detail = {
    name,
    prefix: row.prefix,
    scopes,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(client === undefined ? {} : { client }),
  };
  await insertAudit({ tx, by: byOf(row), now }, { accountId, action: 'key.created', subject, detail });
  return { row, key };
}
