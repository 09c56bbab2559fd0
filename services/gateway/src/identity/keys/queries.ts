import { type Page, pageValues } from '@hookline/shared/kernel';
import { lockedInOrder, lockForCount, type Sql, type Transaction } from '@hookline/shared/postgres';
import { deletesAtColumn, policyColumn } from '../standing/queries.ts';
import type { ApiKeyRow, StandingKeyRow } from './record.ts';

const createdBy = `(
    select json_build_object('userId', id, 'name', coalesce(name, email, id)) from (
      select id, name, email from users where id = api_keys.created_by
      union all
      select id, name, email from oidc_users where id = api_keys.created_by
    ) creator
  ) as "createdBy"`;

const columns = `id, account_id as "accountId", name, prefix, key_hash as "keyHash", scopes, ${createdBy},
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

export type NewApiKey = Omit<
  ApiKeyRow,
  'lastUsedAt' | 'revokedAt' | 'createdAt' | 'updatedAt' | 'createdBy'
> & { createdBy: string; now: Date };

/** The keys of an account, or only those that one member created. */
export type KeyOwner = { accountId: string; createdByUser: string | null };

/** Keys of an account that are neither revoked nor expired, locked until the transaction ends. */
export async function lockCountOfLiveKeys(tx: Transaction, accountId: string, now: Date): Promise<number> {
  await lockForCount(tx, 'keys', accountId);
  return await countLiveKeys(tx, accountId, now);
}

export function countLiveKeys(sql: Sql, accountId: string, now: Date): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from api_keys
     where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [accountId, now],
  );
}

export function insertApiKey(sql: Sql, key: NewApiKey): Promise<ApiKeyRow> {
  return sql.only<ApiKeyRow>(
    `insert into api_keys (id, account_id, name, prefix, key_hash, scopes, created_by, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     returning ${columns}`,
    [
      ...[key.id, key.accountId, key.name, key.prefix, key.keyHash, key.scopes, key.createdBy],
      ...[key.expiresAt, key.now],
    ],
  );
}

const standing = `select api_keys.id, api_keys.account_id as "accountId", api_keys.name, key_hash as "keyHash",
    scopes, ${createdBy}, expires_at as "expiresAt", revoked_at as "revokedAt", role, ${policyColumn},
    ${deletesAtColumn}, (extract(epoch from statement_timestamp()) * 1000000)::float8 as "readAtUs"
  from api_keys
    join workspaces on workspaces.account_id = api_keys.account_id
    left join members on members.account_id = api_keys.account_id and members.user_id = api_keys.created_by`;

/**
 * The keys with the present role of their creator and the policy of their workspace.
 * @param keyHashes as base64url
 */
export function findStandingKeys(sql: Sql, keyHashes: readonly string[]): Promise<StandingKeyRow[]> {
  const hashes = keyHashes.map(keyHash => Buffer.from(keyHash, 'base64url'));
  return sql.query<StandingKeyRow>(`${standing} where key_hash = any($1::bytea[])`, [hashes]);
}

export function listStandingKeys(
  sql: Sql,
  { accountId, createdByUser }: KeyOwner,
  now: Date,
): Promise<StandingKeyRow[]> {
  return sql.query<StandingKeyRow>(
    `${standing}
     where api_keys.account_id = $1 and ($2::text is null or created_by = $2)
       and revoked_at is null and (expires_at is null or expires_at > $3)`,
    [accountId, createdByUser, now],
  );
}

export function hasApiKey(sql: Sql, { accountId, createdByUser }: KeyOwner, id: string): Promise<boolean> {
  return sql.exists(
    'select 1 from api_keys where id = $2 and account_id = $1 and ($3::text is null or created_by = $3)',
    [accountId, id, createdByUser],
  );
}

export function findApiKey(sql: Sql, id: string): Promise<ApiKeyRow | null> {
  return sql.row<ApiKeyRow>(`select ${columns} from api_keys where id = $1`, [id]);
}

export function listApiKeys(
  sql: Sql,
  { accountId, createdByUser }: KeyOwner,
  page: Page,
): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select ${columns} from api_keys
     where account_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       and ($5::text is null or created_by = $5)
     order by created_at desc, id desc limit $4`,
    [accountId, ...pageValues(page), createdByUser],
  );
}

export function lockApiKey(
  tx: Transaction,
  { accountId, createdByUser }: KeyOwner,
  id: string,
): Promise<ApiKeyRow | null> {
  return tx.row<ApiKeyRow>(
    `select ${columns} from api_keys
     where id = $2 and account_id = $1 and ($3::text is null or created_by = $3) for update`,
    [accountId, id, createdByUser],
  );
}

export function markRevoked(sql: Sql, ids: readonly string[], now: Date): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `update api_keys set revoked_at = $2, updated_at = $2
     where ${lockedInOrder('api_keys', 'id = any($1::text[]) and revoked_at is null')}
     returning ${columns}`,
    [ids, now],
  );
}

export function markRevokedIn(sql: Sql, accountId: string, now: Date): Promise<{ keyHash: Buffer }[]> {
  return sql.query<{ keyHash: Buffer }>(
    `update api_keys set revoked_at = $2, updated_at = $2
     where ${lockedInOrder('api_keys', 'account_id = $1 and revoked_at is null')} returning key_hash as "keyHash"`,
    [accountId, now],
  );
}

/**
 * Revokes the keys that a person created and that are not revoked yet.
 * @param accountId null: in every workspace
 */
export function markRevokedOf(
  sql: Sql,
  { accountId, userId }: { accountId: string | null; userId: string },
  now: Date,
): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `update api_keys set revoked_at = $3, updated_at = $3
     where ${lockedInOrder(
       'api_keys',
       '($1::text is null or account_id = $1) and created_by = $2 and revoked_at is null',
     )}
     returning ${columns}`,
    [accountId, userId, now],
  );
}

/**
 * Moves `last_used_at` forward, never back. Several gateways write it, so rows are locked in the order of
 * their ids.
 */
export async function touchLastUsed(
  sql: Sql,
  table: 'api_keys' | 'sessions',
  ids: readonly string[],
  usedAt: readonly Date[],
): Promise<void> {
  await sql.query(
    `with locked as materialized (
       select id from ${table} where id = any($1::text[]) order by id for no key update
     )
     update ${table} set last_used_at = greatest(last_used_at, used.at)
     from locked join unnest($1::text[], $2::timestamptz[]) as used (id, at) using (id)
     where ${table}.id = locked.id`,
    [ids, usedAt],
  );
}
