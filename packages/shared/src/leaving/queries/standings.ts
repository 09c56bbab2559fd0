/** SQL of the workspaces that are being deleted. */
import type { Sql } from '../../postgres/index.ts';

export type Standing = 'open' | 'frozen' | 'deleted';

export type StandingRow = { standing: Standing; revision: number; changedAt: Date };

/** Stores a standing unless a newer one is stored. @returns the one that is stored now */
export async function saveStanding(
  sql: Sql,
  {
    accountId,
    standing,
    revision,
    now,
  }: { accountId: string; standing: Standing; revision: number; now: Date },
): Promise<StandingRow> {
  await sql.query(
    `insert into workspace_standings as s (account_id, standing, revision, changed_at) values ($1, $2, $3, $4)
     on conflict (account_id) do update
     set standing = excluded.standing, revision = excluded.revision, changed_at = excluded.changed_at
     where s.revision < excluded.revision`,
    [accountId, standing, revision, now],
  );
  return await sql.only<StandingRow>(
    `select standing, revision, changed_at as "changedAt" from workspace_standings where account_id = $1`,
    [accountId],
  );
}

/** @returns the workspaces that are frozen or deleted */
export async function listFrozen(sql: Sql, accountIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ accountId: string }>(
    `select account_id as "accountId" from workspace_standings
     where account_id = any($1::text[]) and standing <> 'open'`,
    [accountIds],
  );
  return new Set(rows.map(({ accountId }) => accountId));
}

/**
 * The triggers of append-only tables allow deleting a workspace's rows only in a transaction that names it.
 */
export async function nameDeleted(sql: Sql, accountId: string): Promise<void> {
  await sql.query(`select set_config('hookline.deleted_workspace', $1, true)`, [accountId]);
}

/** Runs one statement of a deletion. @returns the number of rows that it deleted */
export function runDeletion(sql: Sql, statement: string, accountId: string, limit: number): Promise<number> {
  return sql.value<number>(statement, [accountId, limit]);
}
