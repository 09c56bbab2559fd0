/**
 * Lease for one refresh of an account's tokens at a time, without a lock that lasts as long as the platform's
 * answer.
 */
import type { Sql } from '@hookline/shared/postgres';
import { type SealedTokens, type StoredTokens, tokenColumns } from './platform-accounts.ts';

export type RefreshLease = {
  id: string;
  holder: string;
  /** The refresh token that was sent, as it was stored. */
  refreshSealed: string;
};

/** SQL: written by who holds the lease, or by who was late while nobody else changed the token. */
const isStillMine = `id = $1 and deleted_at is null and refresh_token_sealed is not null
  and (refresh_holder = $2 or refresh_token_sealed = $3)`;

/** @returns the tokens as they are stored, or null: another holds the lease, or there is no such account. */
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

/** Writes the new pair and ends the lease. False: the account was connected anew or disconnected since. */
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

/** The grant is dead, unless a newer one came since the lease began. Ends the lease. */
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
