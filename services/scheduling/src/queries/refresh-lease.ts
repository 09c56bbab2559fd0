/**
 * Lease for one refresh of an account's tokens at a time, without a lock that lasts as long as the platform's
 * answer.
 */
import type { Sql } from '@hookline/shared/postgres';
import { type SealedTokens, type StoredTokens, tokenColumns } from './platform-accounts.ts';

export type RefreshLease = {
  id: string;
  holder: string;
  /** The stored form of the refresh token that was sent. */
  refreshSealed: string;
};

/** SQL: the writer holds the lease, or is late but nobody else has changed the token. */
const isStillMine = `id = $1 and deleted_at is null and refresh_token_sealed is not null
  and (refresh_holder = $2 or refresh_token_sealed = $3)`;

/** @returns the stored tokens, or null if another process holds the lease or the account does not exist. */
export async function takeRefreshLease(
  sql: Sql,
  id: string,
  holder: string,
  leaseMs: number,
): Promise<StoredTokens | null> {
  const [row] = await sql.query<StoredTokens>(
    `update platform_accounts
     set refresh_holder = $2, refresh_lease_until = clock_timestamp() + $3 * interval '1 ms'
     where id = $1 and deleted_at is null and coalesce(refresh_lease_until < clock_timestamp(), true)
     returning ${tokenColumns}`,
    [id, holder, leaseMs],
  );
  return row ?? null;
}

export async function endRefreshLease(sql: Sql, id: string, holder: string): Promise<void> {
  await sql.query(
    `update platform_accounts set refresh_holder = null, refresh_lease_until = null
     where id = $1 and refresh_holder = $2`,
    [id, holder],
  );
}

/** Writes the new pair and ends the lease. False if the account was reconnected or disconnected since. */
export async function saveRefreshed(
  sql: Sql,
  { id, holder, refreshSealed }: RefreshLease,
  tokens: SealedTokens,
): Promise<boolean> {
  const rows = await sql.query(
    `update platform_accounts
     set access_token_sealed = $4, access_expires_at = $5, refresh_token_sealed = $6, refresh_expires_at = $7,
       refresh_holder = null, refresh_lease_until = null
     where ${isStillMine} returning 1`,
    [
      ...[id, holder, refreshSealed],
      ...[tokens.accessSealed, tokens.accessExpiresAt, tokens.refreshSealed, tokens.refreshExpiresAt],
    ],
  );
  return rows.length > 0;
}

/** Marks the grant as dead, unless a newer one arrived since the lease began. Ends the lease. */
export async function markNeedsReauth(
  sql: Sql,
  { id, holder, refreshSealed }: RefreshLease,
  now: Date,
): Promise<void> {
  await sql.query(
    `update platform_accounts
     set status = 'needs_reauth', updated_at = $4, refresh_holder = null, refresh_lease_until = null
     where ${isStillMine} and status = 'connected'`,
    [id, holder, refreshSealed, now],
  );
}
