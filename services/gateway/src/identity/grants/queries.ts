import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { OAuthAccessRow, OAuthCodeRow, OAuthGrantRow } from './record.ts';

/**
 * Also deletes up to 500 codes: those that expired unused, and used ones that are remembered no longer. A
 * second use ends a grant, so that only used codes need to be known after their end.
 */
export async function insertCode(
  sql: Sql,
  code: Omit<OAuthCodeRow, 'keyId'>,
  { now, forgottenBefore }: { now: Date; forgottenBefore: Date },
): Promise<void> {
  await sql.query(
    `delete from oauth_codes where code_hash in
       (select code_hash from oauth_codes where expires_at <= $1 and (key_id is null or expires_at <= $2)
        order by expires_at limit 500 for update skip locked)`,
    [now, forgottenBefore],
  );
  await sql.query(
    `insert into oauth_codes (code_hash, client_id, redirect_uri, challenge, account_id, user_id, name, scopes, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[code.codeHash, code.clientId, code.redirectUri, code.challenge, code.accountId, code.userId],
      ...[code.name, code.scopes, code.expiresAt],
    ],
  );
}

export function lockCode(tx: Transaction, codeHash: Buffer): Promise<OAuthCodeRow | null> {
  return tx.row<OAuthCodeRow>(
    `select code_hash as "codeHash", client_id as "clientId", redirect_uri as "redirectUri", challenge,
       account_id as "accountId", user_id as "userId", name, scopes, key_id as "keyId", expires_at as "expiresAt"
     from oauth_codes where code_hash = $1 for update`,
    [codeHash],
  );
}

/** Ends the authorizations of a person that no client has redeemed yet. */
export async function deleteCodesOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from oauth_codes where user_id = $1 and key_id is null', [userId]);
}

export async function setKeyOfCode(sql: Sql, codeHash: Buffer, keyId: string): Promise<void> {
  await sql.query('update oauth_codes set key_id = $2 where code_hash = $1', [codeHash, keyId]);
}

export type GrantTokens = { refreshHash: Buffer; accessHash: Buffer; accessExpiresAt: Date };

export async function insertGrant(
  sql: Sql,
  grant: { keyId: string; clientId: string; familyHash: Buffer } & GrantTokens,
): Promise<void> {
  await sql.query(
    `insert into oauth_grants (key_id, client_id, family_hash, refresh_hash, access_hash, access_expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      grant.keyId,
      grant.clientId,
      grant.familyHash,
      grant.refreshHash,
      grant.accessHash,
      grant.accessExpiresAt,
    ],
  );
}

const grant = `select key_id as "keyId", api_keys.account_id as "accountId", api_keys.name as "keyName",
    client_id as "clientId", scopes, refresh_hash as "refreshHash", access_expires_at as "accessExpiresAt",
    replaced_hash as "replacedHash", replaced_at as "replacedAt", salt, expires_at as "expiresAt",
    revoked_at as "revokedAt", role
  from oauth_grants
    join api_keys on api_keys.id = key_id
    left join members on members.account_id = api_keys.account_id and members.user_id = api_keys.created_by`;

type GrantColumns = Omit<OAuthGrantRow, 'replaced'> & {
  replacedHash: Buffer | null;
  replacedAt: Date | null;
  salt: Buffer | null;
};

function toGrant([row]: readonly GrantColumns[]): OAuthGrantRow | null {
  if (!row) return null;
  const { replacedHash: hash, replacedAt: at, salt, ...others } = row;
  return { ...others, replaced: hash && at && salt && { hash, at, salt } };
}

export async function lockGrantOfFamily(tx: Transaction, familyHash: Buffer): Promise<OAuthGrantRow | null> {
  return toGrant(
    await tx.query<GrantColumns>(`${grant} where family_hash = $1 for update of oauth_grants`, [familyHash]),
  );
}

export async function findGrantOfToken(sql: Sql, tokenHash: Buffer): Promise<OAuthGrantRow | null> {
  return toGrant(
    await sql.query<GrantColumns>(`${grant} where access_hash = $1 or family_hash = $1`, [tokenHash]),
  );
}

export async function setTokens(
  sql: Sql,
  {
    keyId,
    refreshHash,
    accessHash,
    accessExpiresAt,
    salt,
    expiresAt,
    now,
  }: GrantTokens & { keyId: string; salt: Buffer; expiresAt: Date; now: Date },
): Promise<void> {
  await sql.query(
    `update oauth_grants set replaced_hash = refresh_hash, replaced_at = $5, salt = $6,
       refresh_hash = $2, access_hash = $3, access_expires_at = $4
     where key_id = $1`,
    [keyId, refreshHash, accessHash, accessExpiresAt, now, salt],
  );
  const values = [keyId, expiresAt, now];
  await sql.query('update api_keys set expires_at = $2, updated_at = $3 where id = $1', values);
}

export function findAccess(sql: Sql, accessHash: Buffer): Promise<OAuthAccessRow | null> {
  return sql.row<OAuthAccessRow>(
    `select key_id as "keyId", key_hash as "keyHash", access_expires_at as "accessExpiresAt"
     from oauth_grants join api_keys on api_keys.id = key_id where access_hash = $1`,
    [accessHash],
  );
}
