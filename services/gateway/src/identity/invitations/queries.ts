import type { Role } from '@hookline/shared/contracts/scopes';
import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { InvitationRow } from './record.ts';

const columns = `id, account_id as "accountId", email, role, invited_by as "invitedBy", expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

export type NewInvitation = Omit<InvitationRow, 'createdAt' | 'updatedAt'> & { now: Date };

export function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<InvitationRow> {
  const { id, accountId, email, role, invitedBy, expiresAt, now } = invitation;
  return sql.only<InvitationRow>(
    `insert into invitations (id, account_id, email, role, invited_by, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) returning ${columns}`,
    [id, accountId, email, role, invitedBy, expiresAt, now],
  );
}

export async function deleteExpiredInvitations(sql: Sql, accountId: string, now: Date): Promise<void> {
  await sql.query('delete from invitations where account_id = $1 and expires_at <= $2', [accountId, now]);
}

export function countInvitations(sql: Sql, accountId: string): Promise<number> {
  const values = [accountId];
  return sql.value<number>('select count(*)::int as count from invitations where account_id = $1', values);
}

export function findInvitation(sql: Sql, id: string): Promise<InvitationRow | null> {
  return sql.row<InvitationRow>(`select ${columns} from invitations where id = $1`, [id]);
}

export function listInvitations(
  sql: Sql,
  accountId: string,
  now: Date,
  page: Page,
): Promise<InvitationRow[]> {
  return sql.query<InvitationRow>(
    `select ${columns} from invitations
     where account_id = $1 and expires_at > $5
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [accountId, ...pageValues(page), now],
  );
}

/** Returns what it deleted; null when there is no such invitation. */
export function deleteInvitation(
  sql: Sql,
  accountId: string,
  id: string,
): Promise<Pick<InvitationRow, 'email' | 'role'> | null> {
  return sql.row<Pick<InvitationRow, 'email' | 'role'>>(
    'delete from invitations where account_id = $1 and id = $2 returning email, role',
    [accountId, id],
  );
}

/** False when the person was deleted; otherwise they stay until the transaction ends. */
export function lockPerson(tx: Transaction, id: string): Promise<boolean> {
  return tx.exists(
    `with u as (select 1 from users where id = $1 for key share),
       o as (select 1 from oidc_users where id = $1 for key share) select 1 from u union all select 1 from o`,
    [id],
  );
}

/** False when the person is a member already. */
export function insertMember(
  sql: Sql,
  member: { accountId: string; userId: string; role: Role; now: Date },
): Promise<boolean> {
  return sql.exists(
    `insert into members (account_id, user_id, role, created_at, updated_at) values ($1, $2, $3, $4, $4)
     on conflict do nothing returning 1`,
    [member.accountId, member.userId, member.role, member.now],
  );
}

export function isMemberByEmail(sql: Sql, accountId: string, email: string): Promise<boolean> {
  return sql.exists(
    `select 1 from members left join users on users.id = members.user_id
       left join oidc_users on oidc_users.id = members.user_id
     where members.account_id = $1 and lower($2) in (lower(users.email), lower(oidc_users.email)) limit 1`,
    [accountId, email],
  );
}
