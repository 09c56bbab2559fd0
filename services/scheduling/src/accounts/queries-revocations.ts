/**
 * A revocation ends a creator's consent for every workspace: the creator's row orders it with connections.
 */
import type { Sql, Transaction } from '@hookline/shared/postgres';

/** The mark changes whenever a revocation begins or ends. It is exact, unlike a Date. */
const mark = 'extract(epoch from revoking_until)::text';

/** @returns the mark of the creator's last revocation; null: there was none */
export async function lockCreator(tx: Transaction, openId: string): Promise<string | null> {
  await tx.query('insert into creators (open_id) values ($1) on conflict do nothing', [openId]);
  return await tx.value<string | null>(`select ${mark} as mark from creators where open_id = $1 for update`, [
    openId,
  ]);
}

/** The creator must be locked. @returns its mark, or null if another account has the creator connected */
export function beginRevocation(
  tx: Transaction,
  { openId, ownId }: { openId: string; ownId: string | null },
  leaseMs: number,
): Promise<string | null> {
  return tx.value<string | null>(
    `update creators
     set revoking_until = greatest(clock_timestamp() + $3 * interval '1 ms', revoking_until + interval '1 us')
     where open_id = $1 and not exists (
       select 1 from platform_accounts p
       where p.open_id = $1 and p.deleted_at is null and p.status = 'connected' and p.id is distinct from $2)
     returning ${mark} as mark`,
    [openId, ownId, leaseMs],
  );
}

export async function endRevocation(sql: Sql, openId: string, begun: string): Promise<void> {
  await sql.query(
    `update creators set revoking_until = clock_timestamp() where open_id = $1 and ${mark} = $2`,
    [openId, begun],
  );
}

export async function findRevocation(
  sql: Sql,
  openId: string,
): Promise<{ mark: string | null; isUnderWay: boolean }> {
  const [row] = await sql.query<{ mark: string | null; isUnderWay: boolean }>(
    `select ${mark} as mark, coalesce(revoking_until > clock_timestamp(), false) as "isUnderWay"
     from creators where open_id = $1`,
    [openId],
  );
  return row ?? { mark: null, isUnderWay: false };
}
