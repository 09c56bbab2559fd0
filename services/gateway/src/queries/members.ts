import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import type { Role } from '@hookline/shared/contracts/scopes';
import { type Page, pageValues } from '@hookline/shared/kernel';
import { oneRow, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { MemberRow } from '../records/member.ts';
import { deletesAtColumn, policyColumn } from './workspaces.ts';

/** People of both tables. */
const people = `left join users on users.id = members.user_id
  left join oidc_users on oidc_users.id = members.user_id`;

const columns = `members.user_id as "userId", coalesce(users.email, oidc_users.email) as email,
  coalesce(users.name, oidc_users.name) as name, role, members.created_at as "createdAt",
  members.updated_at as "updatedAt"`;

export async function findMember(sql: Sql, accountId: string, userId: string): Promise<MemberRow | null> {
  const rows = await sql.query<MemberRow>(
    `select ${columns} from members ${people} where members.account_id = $1 and user_id = $2`,
    [accountId, userId],
  );
  return rows[0] ?? null;
}

/** The present role of a member, which stays so until the transaction ends. */
export async function lockRole(tx: Transaction, accountId: string, userId: string): Promise<Role | null> {
  const rows = await tx.query<{ role: Role }>(
    'select role from members where account_id = $1 and user_id = $2 for share',
    [accountId, userId],
  );
  return rows[0]?.role ?? null;
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

export async function countOwners(sql: Sql, accountId: string): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::int as count from members where account_id = $1 and role = 'owner'`,
    [accountId],
  );
  return oneRow(rows).count;
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

export type Membership = {
  accountId: string;
  role: Role;
  approvalPolicy: ApprovalPolicy;
  deletesAtMs: number | null;
};

/**
 * The person's membership in the first of the given workspaces that they are a member of; in the one joined
 * first if it is none of these. Null for a person without a workspace.
 */
export async function findMembership(
  sql: Sql,
  userId: string,
  preferred: readonly (string | null)[],
): Promise<Membership | null> {
  const rows = await sql.query<Membership>(
    `select account_id as "accountId", role, ${policyColumn}, ${deletesAtColumn}
     from members join workspaces using (account_id)
     where user_id = $1
     order by array_position($2::text[], account_id), members.created_at, account_id limit 1`,
    [userId, preferred.filter(accountId => accountId !== null)],
  );
  return rows[0] ?? null;
}
