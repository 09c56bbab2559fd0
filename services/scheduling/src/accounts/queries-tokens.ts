/** One process refreshes an account's tokens at a time, without a lock that lasts as long as the call. */
import type { SealedStore, Sql } from '@hookline/shared/postgres';
import { accountColumns, type SealedTokens, type StoredTokens, tokenColumns } from './queries.ts';
import type { PlatformAccount } from './record.ts';

export type RefreshLease = {
  id: string;
  holder: string;
  /** This is the stored form of the refresh token that was sent. */
  refreshSealed: string;
};

/** The writer holds the lease, or is late but nobody else has changed the token. */
const isStillMine = `id = $1 and deleted_at is null and refresh_token_sealed is not null
  and (refresh_holder = $2 or refresh_token_sealed = $3)`;

/** @returns null if another process holds the lease or the account does not exist. */
export function takeRefreshLease(
  sql: Sql,
  { id, holder }: { id: string; holder: string },
  leaseMs: number,
): Promise<StoredTokens | null> {
  return sql.row<StoredTokens>(
    `update platform_accounts
     set refresh_holder = $2, refresh_lease_until = clock_timestamp() + $3 * interval '1 ms'
     where id = $1 and deleted_at is null and coalesce(refresh_lease_until < clock_timestamp(), true)
     returning ${tokenColumns}`,
    [id, holder, leaseMs],
  );
}

export async function endRefreshLease(sql: Sql, id: string, holder: string): Promise<void> {
  await sql.query(
    `update platform_accounts set refresh_holder = null, refresh_lease_until = null
     where id = $1 and refresh_holder = $2`,
    [id, holder],
  );
}

/**
 * An account that was marked `needs_reauth` because this pair replaced the one sent is connected again.
 * @returns false if the account was reconnected or disconnected since, or this pair is stored already
 */
export function saveRefreshed(
  sql: Sql,
  { id, holder, refreshSealed }: RefreshLease,
  tokens: SealedTokens,
  now: Date,
): Promise<boolean> {
  return sql.exists(
    `update platform_accounts
     set access_token_sealed = $4, access_expires_at = $5, refresh_token_sealed = $6, refresh_expires_at = $7,
       refresh_holder = null, refresh_lease_until = null,
       status = 'connected', updated_at = case when status = 'connected' then updated_at else $8 end
     where ${isStillMine} and status in ('connected', 'needs_reauth') returning 1`,
    [
      ...[id, holder, refreshSealed, tokens.accessSealed, tokens.accessExpiresAt, tokens.refreshSealed],
      ...[tokens.refreshExpiresAt, now],
    ],
  );
}

/** @returns null if newer tokens arrived since the lease began */
export function markNeedsReauth(
  sql: Sql,
  { id, holder, refreshSealed }: RefreshLease,
  now: Date,
): Promise<PlatformAccount | null> {
  return sql.row<PlatformAccount>(
    `update platform_accounts
     set status = 'needs_reauth', updated_at = $4, refresh_holder = null, refresh_lease_until = null
     where ${isStillMine} and status = 'connected' returning ${accountColumns}`,
    [id, holder, refreshSealed, now],
  );
}

const tokens: SealedStore = {
  schema: 'scheduling',
  table: 'platform_accounts',
  columns: ['access_token_sealed', 'refresh_token_sealed'],
  async list(sql, afterId, countMax) {
    const rows = await sql.query<{ id: string; access: string; refresh: string }>(
      `select id, access_token_sealed as access, refresh_token_sealed as refresh
       from platform_accounts
       where id > $1 and access_token_sealed is not null and refresh_token_sealed is not null
       order by id limit $2`,
      [afterId, countMax],
    );
    return rows.map(({ id, access, refresh }) => ({ id, context: id, sealed: [access, refresh] }));
  },
  async replace(sql, { id, sealed: before }, after) {
    return await sql.exists(
      `update platform_accounts set access_token_sealed = $4, refresh_token_sealed = $5
       where id = $1 and access_token_sealed = $2 and refresh_token_sealed = $3 returning 1`,
      [id, ...before, ...after],
    );
  },
};

type ConnectColumn = 'verifier_sealed' | 'code_sealed' | 'tokens_sealed';

/** Each secret of a connection under way is sealed to the digest of its state. */
function connectSecrets(column: ConnectColumn): SealedStore {
  return {
    schema: 'scheduling',
    table: 'connect_states',
    columns: [column],
    async list(sql, afterId, countMax) {
      const rows = await sql.query<{ id: string; sealed: string }>(
        `select encode(state_digest, 'hex') as id, ${column} as sealed
         from connect_states
         where state_digest > decode($1, 'hex') and ${column} is not null
         order by state_digest limit $2`,
        [afterId, countMax],
      );
      return rows.map(({ id, sealed }) => ({ id, context: id, sealed: [sealed] }));
    },
    async replace(sql, { id, sealed: before }, after) {
      return await sql.exists(
        `update connect_states set ${column} = $3
         where state_digest = decode($1, 'hex') and ${column} = $2 returning 1`,
        [id, ...before, ...after],
      );
    },
  };
}

export const sealedStores: readonly SealedStore[] = [
  tokens,
  connectSecrets('verifier_sealed'),
  connectSecrets('code_sealed'),
  connectSecrets('tokens_sealed'),
];
