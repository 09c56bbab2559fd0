import { oneRow, type Sql } from '@hookline/shared/db';

export async function countReserved(sql: Sql): Promise<number> {
  const row = oneRow(await sql.query<{ count: number }>('select count(*) as count from credit_reservations'));
  return row.count;
}

export type LedgerDrift = { balances: number; charges: number };

/**
 * By how much the ledger differs from the balances, and its charges from the contents that were charged; in one
 * statement, so that no transaction lies between two of the sums. Reads all four tables once.
 */
export async function findLedgerDrift(sql: Sql): Promise<LedgerDrift> {
  return oneRow(
    await sql.query<LedgerDrift>(
      `select
         abs(coalesce((select sum(amount) from credit_ledger), 0)
           - coalesce((select sum(balance) from credit_accounts), 0))::float8 as balances,
         abs((select count(*) from credit_ledger where reason = 'generation')
           - (select coalesce(sum(cost_charged), 0) from contents))::float8 as charges`,
    ),
  );
}

/** Seconds that the oldest open permit has been open; 0 when none is. */
export async function findPermitAgeSeconds(sql: Sql): Promise<number> {
  const row = oneRow(
    await sql.query<{ seconds: number }>(
      `select coalesce(extract(epoch from now() - min(granted_at)), 0)::float8 as seconds
       from send_permits where released_at is null`,
    ),
  );
  return row.seconds;
}
