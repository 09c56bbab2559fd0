import type { PostingTime } from '@hookline/shared/contracts/posting-times';
import type { Account } from '@hookline/shared/contracts/schedules';
import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import type { PlatformAccount } from './record.ts';

// Some statements give the table another name, hence `values`.
export const accountColumns = `id, account_id as "accountId", app_id as "appId", kind, carrier, open_id as "openId", username,
  display_name as "displayName", avatar_url as "avatarUrl", status, scopes, privacy_levels as "privacyLevels",
  comment_disabled as "commentDisabled", checked_at as "checkedAt", slots, timezone, deleted_at as "deletedAt",
  created_at as "createdAt", updated_at as "updatedAt",
  exists (
    select 1 from (values (account_id)) own (id) join workspace_standings s on s.account_id = own.id
    where s.standing <> 'open'
  ) as "isFrozen"`;

export function findPlatformAccount(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<PlatformAccount | null> {
  return sql.row<PlatformAccount>(
    `select ${accountColumns} from platform_accounts where id = $1 and account_id = $2 and deleted_at is null`,
    [id, accountId],
  );
}

/** Workers name an account by its id alone, and find deleted ones too. */
export async function getPlatformAccount(sql: Sql, id: string): Promise<PlatformAccount> {
  const [row] = await sql.query<PlatformAccount>(
    `select ${accountColumns} from platform_accounts where id = $1`,
    [id],
  );
  if (!row) throw new Error(`the platform account ${id} is gone`);
  return row;
}

export async function listAccountsWithTokens(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, { account: PlatformAccount; tokens: StoredTokens }>> {
  const rows = await sql.query<PlatformAccount & StoredTokens>(
    `select ${accountColumns}, access_token_sealed as "accessSealed", access_expires_at as "accessExpiresAt",
       refresh_token_sealed as "refreshSealed"
     from platform_accounts where id = any($1::text[])`,
    [ids],
  );
  return new Map(
    rows.map(({ accessSealed, accessExpiresAt, refreshSealed, ...account }) => [
      account.id,
      { account, tokens: { ...account, accessSealed, accessExpiresAt, refreshSealed } },
    ]),
  );
}

type Change = {
  name?: string | undefined;
  slots?: PostingTime[] | undefined;
  timezone?: string | undefined;
};

/** @returns the caller's account, or null */
export function changeAccount(
  { tx, now }: WriteContext,
  accountId: string,
  { id, name, slots, timezone }: { id: string } & Change,
): Promise<PlatformAccount | null> {
  return tx.row<PlatformAccount>(
    `update platform_accounts
     set slots = coalesce($3, slots), timezone = coalesce($4, timezone), updated_at = $5,
       display_name = coalesce($6, display_name)
     where id = $1 and account_id = $2 and deleted_at is null
     returning ${accountColumns}`,
    [id, accountId, slots ? JSON.stringify(slots) : null, timezone ?? null, now, name ?? null],
  );
}

export type AccountFilter = { accountId: string; status?: string | undefined; appId?: string | undefined };

export function listPlatformAccounts(
  sql: Sql,
  { accountId, status, appId }: AccountFilter,
  page: Page,
): Promise<PlatformAccount[]> {
  return sql.query<PlatformAccount>(
    `select ${accountColumns} from platform_accounts
     where account_id = $1 and deleted_at is null
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       and ($5::text is null or status = $5)
       and ($6::text is null or app_id = $6)
     order by created_at desc, id desc
     limit $4`,
    [accountId, ...pageValues(page), status ?? null, appId ?? null],
  );
}

type ConnectedAccount = Omit<
  PlatformAccount,
  'kind' | 'status' | 'slots' | 'timezone' | 'deletedAt' | 'createdAt' | 'updatedAt' | 'isFrozen'
> & {
  now: Date;
};

/** The creator must be locked. @returns null if the caller has no account of it */
export function lockAccountOfCreator(
  tx: Transaction,
  accountId: string,
  openId: string,
): Promise<Pick<PlatformAccount, 'id' | 'displayName'> | null> {
  return tx.row<Pick<PlatformAccount, 'id' | 'displayName'>>(
    `select id, display_name as "displayName" from platform_accounts
     where account_id = $1 and open_id = $2 and deleted_at is null for update`,
    [accountId, openId],
  );
}

/** An existing connection keeps its id and, unless another is given, its app. */
export function saveConnectedAccount(
  tx: Transaction,
  account: ConnectedAccount,
  tokens: SealedTokens,
): Promise<PlatformAccount> {
  return tx.only<PlatformAccount>(
    `insert into platform_accounts as p (id, account_id, app_id, open_id, username, display_name, avatar_url, carrier,
       status, scopes, privacy_levels, comment_disabled, checked_at, access_token_sealed, access_expires_at,
       refresh_token_sealed, refresh_expires_at, connected_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $17, 'connected', $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16)
     on conflict (id) do update set
       app_id = coalesce(excluded.app_id, p.app_id), username = coalesce(excluded.username, p.username),
       display_name = excluded.display_name, avatar_url = excluded.avatar_url, status = 'connected',
       scopes = excluded.scopes, privacy_levels = excluded.privacy_levels,
       comment_disabled = excluded.comment_disabled, checked_at = excluded.checked_at,
       refresh_holder = null, refresh_lease_until = null, access_token_sealed = excluded.access_token_sealed, access_expires_at = excluded.access_expires_at,
       refresh_token_sealed = excluded.refresh_token_sealed, refresh_expires_at = excluded.refresh_expires_at,
       connected_at = excluded.connected_at, updated_at = excluded.updated_at
     returning ${accountColumns}`,
    [
      ...[account.id, account.accountId, account.appId, account.openId, account.username],
      ...[account.displayName, account.avatarUrl, account.scopes, account.privacyLevels],
      ...[account.commentDisabled, account.checkedAt, tokens.accessSealed, tokens.accessExpiresAt],
      ...[tokens.refreshSealed, tokens.refreshExpiresAt, account.now, account.carrier],
    ],
  );
}

/** Stores an answer of creator_info for all replicas (D-44). */
export async function saveCreatorInfo(
  sql: Sql,
  id: string,
  info: Pick<PlatformAccount, 'username' | 'privacyLevels' | 'commentDisabled' | 'checkedAt'>,
): Promise<void> {
  await sql.query(
    `update platform_accounts
     set username = coalesce($5, username), privacy_levels = $2, comment_disabled = $3, checked_at = $4
     where id = $1`,
    [id, info.privacyLevels, info.commentDisabled, info.checkedAt, info.username],
  );
}

export type SealedTokens = {
  accessSealed: string;
  accessExpiresAt: Date;
  refreshSealed: string;
  refreshExpiresAt: Date;
};

export type StoredTokens = {
  carrier: string;
  status: Account['status'];
  accessSealed: string | null;
  accessExpiresAt: Date | null;
  refreshSealed: string | null;
};

export const tokenColumns = `carrier, status, access_token_sealed as "accessSealed", access_expires_at as "accessExpiresAt",
  refresh_token_sealed as "refreshSealed"`;

export function findTokens(sql: Sql, id: string): Promise<StoredTokens | null> {
  return sql.row<StoredTokens>(
    `select ${tokenColumns} from platform_accounts where id = $1 and deleted_at is null`,
    [id],
  );
}

/**
 * Connections made after `removedAt` stay, and one whose consent we end ourselves: it is being deleted.
 * @returns those that were connected until now
 */
export async function disconnectCreator(
  { tx, now }: WriteContext,
  openId: string,
  removedAt: Date,
): Promise<PlatformAccount[]> {
  const rows = await tx.query<PlatformAccount & { before: Account['status'] }>(
    `update platform_accounts
     set status = 'disconnected', access_token_sealed = null, refresh_token_sealed = null, updated_at = $3
     from (
       select id as before_id, status as before from platform_accounts
       where open_id = $1 and deleted_at is null and date_trunc('second', connected_at) <= $2
         and not exists (select from creators where open_id = $1 and revoking_until >= $2)
       order by id for update
     ) found
     where id = before_id returning ${accountColumns}, before`,
    [openId, removedAt, now],
  );
  return rows.filter(({ before }) => before === 'connected');
}

export function markDeleted(tx: Transaction, id: string, now: Date): Promise<boolean> {
  return tx.exists(
    `update platform_accounts
     set deleted_at = $2, status = 'disconnected', access_token_sealed = null, refresh_token_sealed = null, updated_at = $2
     where id = $1 and deleted_at is null
     returning 1`,
    [id, now],
  );
}

/**
 * Deletes the account if another workspace has its creator connected: a revocation ends the consent for all,
 * so it is left to the last. Of two deletions at once, the second waits here for the first.
 * @returns false if this account is the last, or is deleted already
 */
export async function markDeletedIfShared(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query<{ id: string; status: Account['status'] }>(
    `select id, status from platform_accounts
     where open_id = (select open_id from platform_accounts where id = $1) and deleted_at is null
     order by id for no key update`,
    [id],
  );
  const isShared = rows.some(row => row.id !== id && row.status === 'connected');
  return isShared && (await markDeleted(tx, id, now));
}

/** @returns null once the account is deleted and has no tokens. */
export function findAccountForAttempt(sql: Sql, scheduleId: string | null): Promise<string | null> {
  return sql.value<string | null>(
    `select p.id from schedules s join platform_accounts p on p.id = s.platform_account_id
     where s.id = $1 and p.deleted_at is null`,
    [scheduleId],
  );
}
