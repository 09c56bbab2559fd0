import type { Sql, Transaction } from '@hookline/shared/postgres';

type Failures = { since: Date; max: number };

/** Serializes the attempts on one address until the transaction ends. */
export async function lockEmail(tx: Transaction, emailHash: Buffer): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [emailHash.readBigInt64BE(0).toString()]);
}

/** Times of the pair's newest failures after `since`, newest first, at most `max`. */
export function listFailures(sql: Sql, pairHash: Buffer, { since, max }: Failures): Promise<Date[]> {
  return sql.column<Date>(
    `select failed_at as "failedAt" from sign_in_failures
     where pair_hash = $1 and failed_at > $2 order by failed_at desc limit $3`,
    [pairHash, since, max],
  );
}

/** Failures of an e-mail address after `since`, from anywhere, counted up to `max`. */
export function countFailures(sql: Sql, emailHash: Buffer, { since, max }: Failures): Promise<number> {
  return sql.value<number>(
    `select count(*)::int as count from (
       select 1 from sign_in_failures where email_hash = $1 and failed_at > $2 limit $3
     ) newest`,
    [emailHash, since, max],
  );
}

export function insertFailure(
  sql: Sql,
  failure: { emailHash: Buffer; pairHash: Buffer; failedAt: Date },
): Promise<string> {
  return sql.value<string>(
    `insert into sign_in_failures (email_hash, pair_hash, failed_at) values ($1, $2, $3)
     returning id::text`,
    [failure.emailHash, failure.pairHash, failure.failedAt],
  );
}

export async function deleteFailure(sql: Sql, id: string): Promise<void> {
  await sql.query('delete from sign_in_failures where id = $1', [id]);
}

/** Deletes up to 500 expired failures: bounded, so that a sign-in does not wait for long. */
export async function deleteOldFailures(sql: Sql, before: Date): Promise<void> {
  await sql.query(
    `delete from sign_in_failures where id in
       (select id from sign_in_failures where failed_at <= $1 order by failed_at limit 500 for update skip locked)`,
    [before],
  );
}

export function isKnownPair(sql: Sql, pairHash: Buffer): Promise<boolean> {
  return sql.exists('select 1 from sign_in_addresses where pair_hash = $1', [pairHash]);
}

/** Keeps from where a user signed in; of many addresses the `max` newest. */
export async function saveKnownPair(
  sql: Sql,
  { pairHash, userId, now }: { pairHash: Buffer; userId: string; now: Date },
  max: number,
): Promise<void> {
  await sql.query(
    `insert into sign_in_addresses (pair_hash, user_id, used_at) values ($1, $2, $3)
     on conflict (pair_hash) do update set used_at = excluded.used_at`,
    [pairHash, userId, now],
  );
  await sql.query(
    `delete from sign_in_addresses where pair_hash in (
       select pair_hash from sign_in_addresses where user_id = $1 order by used_at desc, pair_hash offset $2)`,
    [userId, max],
  );
}
