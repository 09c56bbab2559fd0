import type { Role } from '@hookline/shared/contracts/scopes';
import type { DecksWaiting } from '@hookline/shared/contracts/workspace';
import type { Sql } from '@hookline/shared/postgres';
import type { NotificationsRow } from './record.ts';

const chosen = `select members.account_id as "accountId", members.user_id as "userId", role,
    coalesce(users.email, oidc_users.proven_email) as email,
    (oidc_users.proven_email is not null or users.email_verified_at is not null) as "isProven",
    decks_waiting as "decksWaiting", decks_mailed_at as "decksMailedAt", timezone, workspaces.name as workspace
  from members join workspaces on workspaces.account_id = members.account_id
    left join users on users.id = members.user_id left join oidc_users on oidc_users.id = members.user_id`;

export async function findNotifications(
  sql: Sql,
  accountId: string,
  userId: string,
): Promise<NotificationsRow | null> {
  const rows = await sql.query<NotificationsRow>(
    `${chosen} where members.account_id = $1 and members.user_id = $2`,
    [accountId, userId],
  );
  return rows[0] ?? null;
}

/** Nobody can do anything in a workspace that is frozen. */
const isOpen = `not exists (select 1 from workspace_deletions d where d.account_id = $1 and d.standing <> 'open')`;

/** The members of the workspace who want mails about content that waits. */
export function listToBeMailed(sql: Sql, accountId: string): Promise<NotificationsRow[]> {
  return sql.query<NotificationsRow>(
    `${chosen} where members.account_id = $1 and decks_waiting <> 'off' and ${isOpen} order by members.user_id`,
    [accountId],
  );
}

/** The members of these roles whose address is proven. */
export function listRolesToBeMailed(
  sql: Sql,
  accountId: string,
  roles: readonly Role[],
): Promise<(NotificationsRow & { email: string })[]> {
  return sql.query<NotificationsRow & { email: string }>(
    `select * from (${chosen} where members.account_id = $1 and role = any($2) and ${isOpen}) chosen
     where email is not null and "isProven" order by "userId"`,
    [accountId, roles],
  );
}

export async function setDecksWaiting(
  sql: Sql,
  { accountId, userId }: Pick<NotificationsRow, 'accountId' | 'userId'>,
  choice: DecksWaiting,
): Promise<void> {
  await sql.query('update members set decks_waiting = $3 where account_id = $1 and user_id = $2', [
    accountId,
    userId,
    choice,
  ]);
}

export async function markDecksMailed(
  sql: Sql,
  { accountId, userId }: Pick<NotificationsRow, 'accountId' | 'userId'>,
  now: Date,
): Promise<void> {
  await sql.query('update members set decks_mailed_at = $3 where account_id = $1 and user_id = $2', [
    accountId,
    userId,
    now,
  ]);
}
