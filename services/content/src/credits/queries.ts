import { type Page, pageValues, pruneBatch } from '@hookline/shared/kernel';
import type { IdempotencyScope, Sql, Transaction } from '@hookline/shared/postgres';
import type { CreditRow, LedgerRow } from './record.ts';

export async function insertCreditAccount(
  tx: Transaction,
  accountId: string,
  grant: LedgerRow,
  at: Date,
): Promise<void> {
  await tx.query(
    `with made as (
       insert into credit_accounts (account_id, balance, granted, last_grant, created_at, updated_at)
       values ($1, $2, $2, $2, $6, $6)
       on conflict do nothing
       returning account_id
     )
     insert into credit_ledger (id, account_id, amount, reason, request_id, created_at, updated_at)
     select $3, account_id, $2, 'grant', $4, $5, $5 from made where $2 > 0`,
    [accountId, grant.amount, grant.id, grant.requestId, grant.createdAt, at],
  );
}

export type NewGrant = {
  accountId: string;
  amount: number;
  reference: string;
  ledgerId: string;
  requestId: string | null;
  at: Date;
};

/** Adds credits to an existing account. @returns false if the reference was granted before */
export function insertGrant(tx: Transaction, grant: NewGrant): Promise<boolean> {
  return tx.exists(
    `with written as (
       insert into credit_ledger (id, account_id, amount, reason, reference, request_id, created_at, updated_at)
       values ($3, $1, $2, 'grant', $6, $5, $4, $4)
       on conflict (reference) where reference is not null do nothing
       returning account_id
     )
     update credit_accounts a set balance = a.balance + $2, granted = a.granted + $2, last_grant = $2, updated_at = $4
     from written where a.account_id = written.account_id
     returning 1`,
    [grant.accountId, grant.amount, grant.ledgerId, grant.at, grant.requestId, grant.reference],
  );
}

export function findGrant(
  sql: Sql,
  reference: string,
): Promise<{ accountId: string; amount: number } | null> {
  return sql.row<{ accountId: string; amount: number }>(
    'select account_id as "accountId", amount from credit_ledger where reference = $1',
    [reference],
  );
}

export type NewReservation = {
  contentId: string;
  accountId: string;
  day: string;
  expiresAt: Date;
  ceiling: number;
  count: 0 | 1;
  /** Only if this transaction has claimed the key for the content. */
  ifClaimed?: IdempotencyScope | undefined;
};

/** `counted` means that the day's count was below the ceiling; `reserved`, that a credit is set aside. */
export type Reserved = { counted: boolean; reserved: boolean };

/**
 * Counts a generation for the day and sets one credit aside. Unless both succeed the caller rolls back. Locks
 * the day's count before the account, like `releaseCredit`.
 * @param reservation.count 1, or 0 for work that is already counted
 */
export function reserveCredit(
  tx: Transaction,
  { contentId, accountId, day, expiresAt, ceiling, count, ifClaimed }: NewReservation,
): Promise<Reserved> {
  return tx.only<Reserved>(
    `with counted as (
       insert into daily_generations as d (account_id, day, used)
       select $2, $3, $6
       where $7::text is null or exists (
         select from idempotency_keys where account_id = $2 and route = $7 and key = $8 and resource_id = $1
       )
       on conflict (account_id, day) do update set used = d.used + $6 where d.used + $6 <= $5
       returning account_id
     ), held as (
       update credit_accounts a set reserved = a.reserved + 1
       from counted where a.account_id = counted.account_id and a.balance - a.reserved >= 1
       returning a.account_id
     ), written as (
       insert into credit_reservations (content_id, account_id, day, expires_at)
       select $1, account_id, $3, $4 from held
     )
     select exists (select 1 from counted) as counted, exists (select 1 from held) as reserved`,
    [contentId, accountId, day, expiresAt, ceiling, count, ifClaimed?.route, ifClaimed?.key],
  );
}

/**
 * Extends a reservation, never shortens it.
 * @returns false if it was never made or given back by the reaper
 */
export function renewReservation(tx: Transaction, contentId: string, expiresAt: Date): Promise<boolean> {
  return tx.exists(
    'update credit_reservations set expires_at = greatest(expires_at, $2) where content_id = $1 returning 1',
    [contentId, expiresAt],
  );
}

export type Charged = { balance: number; lastGrant: number };

/** Turns the reservation into a charge. @returns null if the reaper gave it back */
export function captureCredit(
  tx: Transaction,
  charge: { contentId: string; ledgerId: string; requestId: string | null; at: Date },
): Promise<Charged | null> {
  return tx.row<Charged>(
    `with held as (
       delete from credit_reservations where content_id = $1 returning account_id
     ), paid as (
       update credit_accounts a
       set balance = a.balance - 1, reserved = a.reserved - 1, spent = a.spent + 1, updated_at = $4
       from held where a.account_id = held.account_id
       returning a.account_id, a.balance, a.last_grant
     ), written as (
       insert into credit_ledger (id, account_id, amount, reason, content_id, request_id, created_at, updated_at)
       select $2, account_id, -1, 'generation', $1, $3, $4, $4 from paid
     )
     select balance, last_grant as "lastGrant" from paid`,
    [charge.contentId, charge.ledgerId, charge.requestId, charge.at],
  );
}

/**
 * Gives back a reservation and its place in the day's count. @returns false if there is none
 * @param isDead for work whose time seemed over: it may have been renewed since
 */
export async function releaseCredit(tx: Transaction, contentId: string, isDead = false): Promise<boolean> {
  const released = await tx.query(
    `with held as (
       delete from credit_reservations
       where content_id = $1 and (not $2::boolean or expires_at < now()) returning account_id, day
     ), uncounted as (
       update daily_generations d set used = d.used - 1
       from held where d.account_id = held.account_id and d.day = held.day
       returning d.account_id
     )
     update credit_accounts a set reserved = a.reserved - 1
     from uncounted where a.account_id = uncounted.account_id
     returning 1`,
    [contentId, isDead],
  );
  return released.length > 0;
}

export function listExpiredReservations(sql: Sql): Promise<string[]> {
  return sql.column<string>(
    `select content_id as "contentId" from credit_reservations where expires_at < now() order by expires_at limit 100`,
  );
}

/** Deletes counts of days before the given one. @returns their number, at most 1,000 */
export async function pruneDailyGenerations(sql: Sql, before: string): Promise<number> {
  const rows = await sql.query(
    `delete from daily_generations where ctid in (
       select ctid from daily_generations where day < $1 limit ${pruneBatch}) returning 1`,
    [before],
  );
  return rows.length;
}

export function findCredits(sql: Sql, accountId: string): Promise<CreditRow | null> {
  return sql.row<CreditRow>('select balance, granted, spent from credit_accounts where account_id = $1', [
    accountId,
  ]);
}

export async function findDailyUse(sql: Sql, accountId: string, day: string): Promise<number> {
  const found = await sql.value<number | null>(
    'select used from daily_generations where account_id = $1 and day = $2',
    [accountId, day],
  );
  return found ?? 0;
}

export function listLedger(
  sql: Sql,
  accountId: string,
  contentId: string | undefined,
  page: Page,
): Promise<LedgerRow[]> {
  return sql.query<LedgerRow>(
    `select id, amount, reason, content_id as "contentId", request_id as "requestId",
       created_at as "createdAt", updated_at as "updatedAt"
     from credit_ledger
     where account_id = $1
       -- Only charges name a content, and they have their own index.
       and ($2::text is null or (content_id = $2 and reason = 'generation'))
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc
     limit $5`,
    [accountId, contentId ?? null, ...pageValues(page)],
  );
}
