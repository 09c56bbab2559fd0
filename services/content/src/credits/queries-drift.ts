import { oneRow, type Sql } from '@hookline/shared/postgres';

export async function countReserved(sql: Sql): Promise<number> {
  const row = oneRow(await sql.query<{ count: number }>('select count(*) as count from credit_reservations'));
  return row.count;
}

/**
 * Differences between an account's ledger and its balance, and between its charges and its charged contents.
 */
export type AccountDrift = { accountId: string; balances: number; charges: number };

export type DriftCheck = {
  /** The last account of the previous sweep; empty at the beginning. */
  sweptTo: string;
  /** Accounts that differed before, included in every check. */
  suspects: readonly string[];
};

// Maximum ledger rows of the last five minutes whose accounts are checked, and maximum accounts swept per
// check.
const changesMax = 1_000;
const sweptMax = 100;
// Maximum rows of ledger and contents read per check, about 50 ms. An account with more charges is checked
// only by `npm run ops -- check-invariants`.
const rowsMax = 20_000;

/**
 * Checks the accounts whose ledger changed in the last five minutes, the next hundred of all accounts, and
 * those that differed before. One statement, so that no transaction commits between two of the sums. Its cost
 * does not grow with the tables.
 * @returns the accounts that differ, and the last account of the sweep; empty when it reached the end.
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
