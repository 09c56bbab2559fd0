import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockForCount, oneRow, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { ApiKeyRow } from '../records/api-key.ts';

const columns = `id, account_id as "accountId", name, prefix, key_hash as "keyHash", scopes, expires_at as "expiresAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt", created_at as "createdAt", updated_at as "updatedAt"`;

export type NewApiKey = Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt' | 'createdAt' | 'updatedAt'> & {
  now: Date;
};

/** Keys of an account that are neither revoked nor expired, locked until the transaction ends. */
export async function lockCountOfLiveKeys(tx: Transaction, accountId: string, now: Date): Promise<number> {
  await lockForCount(tx, 'keys', accountId);
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count from api_keys
     where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [accountId, now],
  );
  return oneRow(rows).count;
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<ApiKeyRow> {
  const rows = await sql.query<ApiKeyRow>(
    `insert into api_keys (id, account_id, name, prefix, key_hash, scopes, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     returning ${columns}`,
    [key.id, key.accountId, key.name, key.prefix, key.keyHash, key.scopes, key.expiresAt, key.now],
  );
  return oneRow(rows);
}

export async function findApiKeyByHash(sql: Sql, keyHash: Buffer): Promise<ApiKeyRow | null> {
  const rows = await sql.query<ApiKeyRow>(`select ${columns} from api_keys where key_hash = $1`, [keyHash]);
  return rows[0] ?? null;
}

/** A key of any account, for operators. */
export async function findApiKey(sql: Sql, id: string): Promise<ApiKeyRow | null> {
  const rows = await sql.query<ApiKeyRow>(`select ${columns} from api_keys where id = $1`, [id]);
  return rows[0] ?? null;
}

export function listApiKeys(sql: Sql, accountId: string, page: Page): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select ${columns} from api_keys
     where account_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [accountId, ...pageValues(page)],
  );
}

/** Sets `revoked_at`; a second call keeps the first time. Null when the account has no such key. */
export async function markRevoked(
  sql: Sql,
  accountId: string,
  id: string,
  now: Date,
): Promise<ApiKeyRow | null> {
  const rows = await sql.query<ApiKeyRow>(
    `update api_keys
     set revoked_at = coalesce(revoked_at, $3), updated_at = case when revoked_at is null then $3 else updated_at end
     where id = $2 and account_id = $1
     returning ${columns}`,
    [accountId, id, now],
  );
  return rows[0] ?? null;
}

/**
 * Moves `last_used_at` forward, never back. Several gateways write it, so rows are locked in the order of
 * their ids.
 */
export async function touchApiKeys(sql: Sql, ids: readonly string[], usedAt: readonly Date[]): Promise<void> {
  await sql.query(
    `with locked as materialized (
       select id from api_keys where id = any($1::text[]) order by id for no key update
     )
     update api_keys set last_used_at = greatest(last_used_at, used.at)
     from locked join unnest($1::text[], $2::timestamptz[]) as used (id, at) using (id)
     where api_keys.id = locked.id`,
    [ids, usedAt],
  );
}
