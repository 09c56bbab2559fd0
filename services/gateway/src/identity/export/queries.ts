import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { ExportRow } from './record.ts';

const columns = `id, account_id as "accountId", requested_by as "requestedBy", expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Times of the workspace's exports since a time, oldest first. The workspace must be locked. */
export function listExportTimes(tx: Transaction, accountId: string, since: Date): Promise<Date[]> {
  return tx.column<Date>(
    `select created_at as "createdAt" from workspace_exports
     where account_id = $1 and created_at > $2 order by created_at limit 100`,
    [accountId, since],
  );
}

export async function insertExport(
  tx: Transaction,
  { id, accountId, requestedBy, expiresAt, now }: Omit<ExportRow, 'createdAt' | 'updatedAt'> & { now: Date },
): Promise<ExportRow> {
  const values = [accountId, now];
  await tx.query('delete from workspace_exports where account_id = $1 and expires_at <= $2', values);
  return await tx.only<ExportRow>(
    `insert into workspace_exports (id, account_id, requested_by, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5) returning ${columns}`,
    [id, accountId, requestedBy, expiresAt, now],
  );
}

/**
 * Null once it has expired, and while the person who asked for it is not an owner of the workspace.
 * @param accountId null: of any workspace, for a signed link
 */
export function findExport(
  sql: Sql,
  { accountId, id }: { accountId: string | null; id: string },
  now: Date,
): Promise<ExportRow | null> {
  return sql.row<ExportRow>(
    `select ${columns} from workspace_exports
     where id = $1 and ($2::text is null or account_id = $2) and expires_at > $3 and exists (
       select 1 from members
       where members.account_id = workspace_exports.account_id and user_id = requested_by and role = 'owner')`,
    [id, accountId, now],
  );
}
