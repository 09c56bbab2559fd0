import type { Sql, Transaction } from '@hookline/shared/postgres';
import { policyColumn } from '../standing/queries.ts';
import type { WorkspaceOfPersonRow, WorkspaceRow } from './record.ts';

const deletionColumn = `(
    select json_build_object('requestedAt', requested_at, 'deletesAt', delete_at) from workspace_deletions d
    where d.account_id = workspaces.account_id and d.standing <> 'open'
  ) as deletion`;

const columns = `account_id as "accountId", name, timezone, ${policyColumn}, sending_paused as "sendingPaused", ${deletionColumn},
  created_at as "createdAt", updated_at as "updatedAt"`;

export function findWorkspace(sql: Sql, accountId: string): Promise<WorkspaceRow | null> {
  return sql.row<WorkspaceRow>(`select ${columns} from workspaces where account_id = $1`, [accountId]);
}

/** Locks the workspace until the transaction ends: changes of its policy and members happen one by one. */
export function lockWorkspace(tx: Transaction, accountId: string): Promise<WorkspaceRow> {
  const values = [accountId];
  return tx.only<WorkspaceRow>(`select ${columns} from workspaces where account_id = $1 for update`, values);
}

export function updateWorkspace(
  sql: Sql,
  {
    accountId,
    name,
    timezone,
    approvalPolicy,
    sendingPaused,
  }: Omit<WorkspaceRow, 'deletion' | 'createdAt' | 'updatedAt'>,
  now: Date,
): Promise<WorkspaceRow> {
  const { approvers, requireVersion, postTexts, selfApproval } = approvalPolicy;
  return sql.only<WorkspaceRow>(
    `update workspaces set name = $2, timezone = $3, approvers = $4, requires_version = $5, post_texts = $6,
       self_approval = $7, sending_paused = $8, updated_at = $9
     where account_id = $1 returning ${columns}`,
    [accountId, name, timezone, approvers, requireVersion, postTexts, selfApproval, sendingPaused, now],
  );
}

export async function markSendingAsked(sql: Sql, accountId: string, at: Date): Promise<void> {
  await sql.query('update workspaces set sending_asked_at = $2 where account_id = $1', [accountId, at]);
}

/** A request that asked since the claim is settled in its turn. */
export async function clearSendingAsked(sql: Sql, accountId: string, claimedAt: Date): Promise<void> {
  await sql.query(
    'update workspaces set sending_asked_at = null where account_id = $1 and sending_asked_at = $2',
    [accountId, claimedAt],
  );
}

/** Claims the workspace that was asked for first: another process gets it after as long again. */
export function claimSendingAsked(sql: Sql, before: Date, now: Date): Promise<string | null> {
  return sql.value<string | null>(
    `update workspaces set sending_asked_at = $2
     where account_id = (
       select account_id from workspaces where sending_asked_at <= $1
       order by sending_asked_at limit 1 for update skip locked
     ) returning account_id as "accountId"`,
    [before, now],
  );
}

/** The first 100, or the one of the account. */
export function listWorkspacesOfPerson(
  sql: Sql,
  userId: string,
  accountId: string | null = null,
): Promise<WorkspaceOfPersonRow[]> {
  return sql.query<WorkspaceOfPersonRow>(
    `select account_id as "accountId", workspaces.name, role
     from members join workspaces using (account_id)
     where user_id = $1 and ($2::text is null or account_id = $2)
     order by members.created_at, account_id limit 100`,
    [userId, accountId],
  );
}
