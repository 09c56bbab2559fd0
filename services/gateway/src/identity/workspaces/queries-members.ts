import type { Role } from '@hookline/shared/contracts/scopes';
import { type Page, pageValues } from '@hookline/shared/kernel';
import type { Sql } from '@hookline/shared/postgres';
import type { MemberRow } from './record.ts';

/** People of both tables. */
const people = `left join users on users.id = members.user_id
  left join oidc_users on oidc_users.id = members.user_id`;

const columns = `members.user_id as "userId", coalesce(users.email, oidc_users.email) as email,
  coalesce(users.name, oidc_users.name) as name, role, members.created_at as "createdAt",
  members.updated_at as "updatedAt"`;

export function findMember(sql: Sql, accountId: string, userId: string): Promise<MemberRow | null> {
  return sql.row<MemberRow>(
    `select ${columns} from members ${people} where members.account_id = $1 and user_id = $2`,
    [accountId, userId],
  );
}

export function listMembers(
  sql: Sql,
  accountId: string,
  page: Page,
): Promise<(MemberRow & { id: string })[]> {
  return sql.query<MemberRow & { id: string }>(
    `select ${columns}, user_id as id from members ${people}
     where members.account_id = $1
       and ($2::timestamptz is null or (members.created_at, user_id) < ($2, $3))
     order by members.created_at desc, user_id desc limit $4`,
    [accountId, ...pageValues(page)],
  );
}

export function countOwners(sql: Sql, accountId: string): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from members where account_id = $1 and role = 'owner'`,
    [accountId],
  );
}

export async function setRole(
  sql: Sql,
  { accountId, userId, role, now }: { accountId: string; userId: string; role: Role; now: Date },
): Promise<void> {
  await sql.query('update members set role = $3, updated_at = $4 where account_id = $1 and user_id = $2', [
    accountId,
    userId,
    role,
    now,
  ]);
}

export async function deleteMember(sql: Sql, accountId: string, userId: string): Promise<void> {
  await sql.query('delete from members where account_id = $1 and user_id = $2', [accountId, userId]);
}

export function deleteInvitationsBy(sql: Sql, accountId: string, userId: string): Promise<string[]> {
  return sql.column<string>(
    `with gone as (delete from invitations where account_id = $1 and invited_by = $2 returning id),
       links as (
         delete from one_time_links using gone
         where one_time_links.subject_id = gone.id and one_time_links.kind = 'invitation'
       )
     select id from gone`,
    [accountId, userId],
  );
}
