import type { OwnerOfData } from '@hookline/shared/contracts/internal';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { channels } from '../../channels.ts';
import type { DeletionPartRow, DeletionRow, DueReport } from './record.ts';

const columns = `account_id as "accountId", standing, revision, requested_by as "requestedBy",
  requested_at as "requestedAt", delete_at as "deleteAt", begun_at as "begunAt", ended_at as "endedAt"`;

export function findDeletion(sql: Sql, accountId: string): Promise<DeletionRow | null> {
  const values = [accountId];
  return sql.row<DeletionRow>(`select ${columns} from workspace_deletions where account_id = $1`, values);
}

export async function insertDeletion(
  tx: Transaction,
  {
    accountId,
    requestedBy,
    requestedAt,
    deleteAt,
  }: Pick<DeletionRow, 'accountId' | 'requestedBy' | 'requestedAt' | 'deleteAt'>,
): Promise<void> {
  await tx.query(
    `insert into workspace_deletions as d (account_id, standing, revision, requested_by, requested_at, delete_at)
     values ($1, 'frozen', 1, $2, $3, $4)
     on conflict (account_id) do update
     set standing = 'frozen', revision = d.revision + 1, requested_by = $2, requested_at = $3, delete_at = $4`,
    [accountId, requestedBy, requestedAt, deleteAt],
  );
}

export async function markRestored(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(
    `update workspace_deletions set standing = 'open', revision = revision + 1 where account_id = $1`,
    [accountId],
  );
}

export async function markBegun(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx.query(
    `update workspace_deletions set standing = 'deleted', revision = revision + 1, begun_at = $2
     where account_id = $1`,
    [accountId, now],
  );
}

export async function markEnded(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx.query('update workspace_deletions set ended_at = $2 where account_id = $1', [accountId, now]);
}

/** Has every service called now with the present standing. */
export async function reportToAll(
  tx: Transaction,
  { accountId, services }: { accountId: string; services: readonly OwnerOfData[] },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into workspace_deletion_parts as p (account_id, service, due_at)
     select $1, service, $3 from unnest($2::text[]) as given (service)
     on conflict (account_id, service) do update
     set due_at = excluded.due_at, attempts = 0, deleted_at = null, note = null`,
    [accountId, services, now],
  );
  tx.notifyAfterCommit(channels.deletions);
}

/**
 * Claims the call that is due first: no other process makes it before `untilDue`. The deletion is locked too: else the
 * call of a standing that has just changed is made with the one before, and the new one waits for the lease.
 */
export function claimReport(sql: Sql, now: Date, untilDue: Date): Promise<DueReport | null> {
  return sql.row<DueReport>(
    `with due as (
       select p.account_id, p.service, d.standing, d.revision
       from workspace_deletion_parts p join workspace_deletions d using (account_id)
       where p.due_at <= $1 order by p.due_at, p.account_id, p.service limit 1
       for update of p skip locked for share of d skip locked
     )
     update workspace_deletion_parts p set due_at = $2
     from due where p.account_id = due.account_id and p.service = due.service
     returning p.account_id as "accountId", p.service, due.standing, due.revision, p.attempts,
       p.deleted_at as "deletedAt"`,
    [now, untilDue],
  );
}

/** Writes nothing if the standing has changed during the call: the service is then due with the newer one. */
export async function saveReport(
  sql: Sql,
  { accountId, service, revision }: DueReport,
  saved: Omit<DeletionPartRow, 'service'>,
): Promise<void> {
  await sql.query(
    `update workspace_deletion_parts p set due_at = $4, attempts = $5, deleted_at = $6, note = $7
     from workspace_deletions d
     where d.account_id = p.account_id and p.account_id = $1 and p.service = $2 and d.revision = $3`,
    [accountId, service, revision, saved.dueAt, saved.attempts, saved.deletedAt, saved.note],
  );
}

/** Deletions whose grace period is over, at most 10. At random: ten that fail must not hold up the others. */
export function findExpired(sql: Sql, now: Date): Promise<string[]> {
  return sql.column<string>(
    `select account_id as "accountId" from workspace_deletions
     where standing = 'frozen' and delete_at <= $1 order by random() limit 10`,
    [now],
  );
}

/**
 * Deletions that every service has confirmed, whose rows of this schema are left. At
 * most 10, at random as above.
 */
export function findConfirmed(sql: Sql): Promise<string[]> {
  return sql.column<string>(
    `select account_id as "accountId" from workspace_deletions d
     where standing = 'deleted' and ended_at is null and not exists (
       select 1 from workspace_deletion_parts p where p.account_id = d.account_id and p.deleted_at is null
     )
     order by random() limit 10`,
  );
}

export async function findNextDue(sql: Sql, now: Date): Promise<Date | null> {
  const rows = await sql.query<{ at: Date | null }>(
    `select least(
       (select due_at from workspace_deletion_parts where due_at is not null order by due_at limit 1),
       (select delete_at from workspace_deletions
        where standing = 'frozen' and delete_at > $1 order by delete_at limit 1)
     ) as at`,
    [now],
  );
  return rows[0]?.at ?? null;
}

export function countOverdue(sql: Sql, begunBefore: Date): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from workspace_deletions
     where standing = 'deleted' and ended_at is null and begun_at <= $1`,
    [begunBefore],
  );
}

export function listDeletions(sql: Sql): Promise<(DeletionRow & { parts: DeletionPartRow[] })[]> {
  return sql.query<DeletionRow & { parts: DeletionPartRow[] }>(
    `select ${columns}, (
       select coalesce(json_agg(json_build_object('service', service, 'dueAt', due_at, 'attempts', attempts,
         'deletedAt', deleted_at, 'note', note) order by service), '[]')
       from workspace_deletion_parts p where p.account_id = d.account_id
     ) as parts
     from workspace_deletions d
     where standing = 'frozen' or (standing = 'deleted' and ended_at is null) or exists (
       select 1 from workspace_deletion_parts p where p.account_id = d.account_id and p.due_at is not null
     )
     order by requested_at limit 1000`,
  );
}
