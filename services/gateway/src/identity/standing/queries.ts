import type { ApprovalPolicy } from '@hookline/shared/contracts/approval-policy';
import type { Role } from '@hookline/shared/contracts/scopes';
import type { Sql, Transaction } from '@hookline/shared/postgres';

/** The approval policy of a row of `workspaces` as JSON. */
export const policyColumn = `json_build_object('approvers', workspaces.approvers,
  'requireVersion', workspaces.requires_version, 'postTexts', workspaces.post_texts,
  'selfApproval', workspaces.self_approval) as "approvalPolicy"`;

/**
 * When the workspace of a row of `workspaces` is deleted, in ms since 1970; null unless that was requested.
 */
export const deletesAtColumn = `(
    select (extract(epoch from delete_at) * 1000)::float8 from workspace_deletions d
    where d.account_id = workspaces.account_id and d.standing <> 'open'
  ) as "deletesAtMs"`;

/** Locks the workspace until the transaction ends. @returns false if it does not exist */
export function lockWorkspaceIfAny(tx: Transaction, accountId: string): Promise<boolean> {
  return tx.exists('select 1 from workspaces where account_id = $1 for update', [accountId]);
}

/** The present role of a member, which stays so until the transaction ends. */
export async function lockRole(tx: Transaction, accountId: string, userId: string): Promise<Role | null> {
  const rows = await tx.query<{ role: Role }>(
    'select role from members where account_id = $1 and user_id = $2 for share',
    [accountId, userId],
  );
  return rows[0]?.role ?? null;
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
export function findMembership(
  sql: Sql,
  userId: string,
  preferred: readonly (string | null)[],
): Promise<Membership | null> {
  return sql.row<Membership>(
    `select account_id as "accountId", role, ${policyColumn}, ${deletesAtColumn}
     from members join workspaces using (account_id)
     where user_id = $1
     order by array_position($2::text[], account_id), members.created_at, account_id limit 1`,
    [userId, preferred.filter(accountId => accountId !== null)],
  );
}

/** Makes a workspace of the person's own, as the trigger of `users` does at sign-up. */
export async function insertOwnWorkspace(
  tx: Transaction,
  { accountId, name, userId, now }: { accountId: string; name: string; userId: string; now: Date },
): Promise<void> {
  await tx.query(
    `with made as (
       insert into workspaces (account_id, name, created_at, updated_at) values ($1, $2, $4, $4)
     )
     insert into members (account_id, user_id, role, created_at, updated_at) values ($1, $3, 'owner', $4, $4)`,
    [accountId, name, userId, now],
  );
}
