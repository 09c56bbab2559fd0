import type { Sql } from '@hookline/shared/postgres';

export function countReserved(sql: Sql): Promise<number> {
  return sql.value<number>('select count(*) as count from credit_reservations');
}

/**
 * `balances` is what the ledger and the balance differ by; `charges`, the charges and the charged contents.
 */
export type AccountDrift = { accountId: string; balances: number; charges: number };

export type DriftCheck = {
  sweptTo: string;
  suspects: readonly string[];
};

// A check covers at most this many recent ledger rows and swept accounts.
const changesMax = 1_000;
const sweptMax = 100;
// A check reads at most this many rows, about 50 ms. Only `npm run ops -- check-invariants` checks an account
// with more charges.
const rowsMax = 20_000;

/**
 * Checks the accounts whose ledger changed in the last five minutes, the next hundred of all accounts, and
 * those that differed before. One statement sees no commit between two of its sums. Its cost does not grow
 * with the tables.
 * @returns `sweptTo` empty when the sweep reached the end
 */
export async function findLedgerDrift(
  sql: Sql,
  { sweptTo, suspects }: DriftCheck,
): Promise<{ drifting: AccountDrift[]; sweptTo: string }> {
  const rows = await sql.query<AccountDrift & { sweptTo: string | null }>(
    `with changed as (
       select account_id from credit_ledger where created_at > now() - interval '5 minutes'
       order by created_at desc limit ${changesMax}
     ), swept as (
       select account_id from credit_accounts where account_id > $1 order by account_id limit ${sweptMax}
     ), asked as (
       select account_id from changed union select account_id from swept union select unnest($2::text[])
     ), bounded as (
       select a.account_id, a.balance,
         sum(a.spent + 1) over (order by a.account_id <> all ($2::text[]), a.spent, a.account_id) as rows
       from asked join credit_accounts a using (account_id)
     ), figures as (
       select b.account_id as "accountId", abs(b.balance - l.amount)::float8 as balances,
         abs(l.charges - c.charged)::float8 as charges
       from bounded b
         cross join lateral (
           select coalesce(sum(amount), 0) as amount, count(*) filter (where reason = 'generation') as charges
           from credit_ledger where account_id = b.account_id
         ) l
         cross join lateral (
           select coalesce(sum(cost_charged), 0) as charged from contents where account_id = b.account_id
         ) c
       where b.rows <= ${rowsMax}
     )
     select f.*, (select case when count(*) = ${sweptMax} then max(account_id) end from swept) as "sweptTo"
     from (select) as always left join figures f on f.balances <> 0 or f.charges <> 0`,
    [sweptTo, suspects],
  );
  const drifting = rows.filter(row => row.accountId !== null);
  return { drifting, sweptTo: rows[0]?.sweptTo ?? '' };
}
