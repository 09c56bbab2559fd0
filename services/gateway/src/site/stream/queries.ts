import { pruneBatch } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { ChangeRow, NewChange } from './record.ts';

/**
 * Moves the changes to the end. One transaction after the other, so that positions are read in their order.
 */
export async function upsertChanges(
  tx: Transaction,
  changes: readonly NewChange[],
  now: Date,
): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('gateway changes'))`);
  await tx.query(
    `insert into changes (account_id, kind, resource_id, changed_at)
     select account_id, kind, resource_id, $4
     from unnest($1::text[], $2::text[], $3::text[]) as c (account_id, kind, resource_id)
     on conflict (account_id, kind, resource_id)
       do update set position = default, changed_at = excluded.changed_at`,
    [...columnsOf(changes, 'accountId', 'kind', 'resourceId'), now],
  );
}

/** The newest position of each account until a time; nothing for an account without older changes. */
export function listChangesHeads(
  sql: Sql,
  accountIds: readonly string[],
  until: Date,
): Promise<{ accountId: string; head: number }[]> {
  return sql.query<{ accountId: string; head: number }>(
    `select a.account_id as "accountId", c.position as head
     from unnest($1::text[]) as a (account_id)
       cross join lateral (
         select position from changes where account_id = a.account_id and changed_at <= $2
         order by position desc limit 1
       ) c`,
    [accountIds, until],
  );
}

export const changesMax = 100;

export function listChanges(
  sql: Sql,
  asked: readonly { accountId: string; after: number }[],
): Promise<ChangeRow[]> {
  return sql.query<ChangeRow>(
    `select c.account_id as "accountId", c.kind, c.resource_id as "resourceId", c.position, a.after
     from unnest($1::text[], $2::bigint[]) as a (account_id, after)
       cross join lateral (
         select * from changes where account_id = a.account_id and position > a.after order by position limit $3
       ) c
     order by c.position`,
    [...columnsOf(asked, 'accountId', 'after'), changesMax],
  );
}

export async function deleteOldChanges(sql: Sql, before: Date): Promise<number> {
  const rows = await sql.query(
    `delete from changes where ctid = any (array(
       select ctid from changes where changed_at < $1 order by changed_at limit ${pruneBatch}
     )) returning 1`,
    [before],
  );
  return rows.length;
}
