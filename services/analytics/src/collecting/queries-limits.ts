/**
 * Units spent and rest periods per credential and bucket, in one row each, shared by all
 * replicas. Credentials are stored as a digest or an id, never in plain text.
 */
import type { Sql } from '@hookline/shared/postgres';

export type Bucket = { credential: string; bucket: string };

/**
 * Takes one of the day's units. False if none is left or the bucket rests.
 * @param day of the platform's calendar.
 */
export function takeUnit(
  sql: Sql,
  limit: Bucket & { day: string; unitsMax: number; now: Date },
): Promise<boolean> {
  return sql.exists(
    `insert into api_limits as l (credential, bucket, day, spent) values ($1, $2, $3, 1)
     on conflict (credential, bucket) do update set
       day = excluded.day, spent = case when l.day = excluded.day then l.spent + 1 else 1 end
     where coalesce(l.paused_until, '-infinity') <= $5
       and (l.day is distinct from excluded.day or l.spent < $4)
     returning 1`,
    [limit.credential, limit.bucket, limit.day, limit.unitsMax, limit.now],
  );
}

export type LimitState = { bucket: string; day: string; spent: number; pausedUntil: Date | null };

export function listLimits(sql: Sql, credential: string): Promise<LimitState[]> {
  return sql.query(
    `select bucket, to_char(day, 'YYYY-MM-DD') as day, spent, paused_until as "pausedUntil"
     from api_limits where credential = $1`,
    [credential],
  );
}

export function isResting(sql: Sql, credentials: readonly string[], now: Date): Promise<boolean> {
  const values = [credentials, now];
  return sql.exists('select 1 from api_limits where credential = any($1) and paused_until > $2', values);
}

/** Makes the bucket rest until the given time, or longer if it already rests longer. */
export async function pauseBucket(sql: Sql, { credential, bucket }: Bucket, until: Date): Promise<void> {
  await sql.query(
    `insert into api_limits as l (credential, bucket, paused_until) values ($1, $2, $3)
     on conflict (credential, bucket) do update set
       paused_until = greatest(l.paused_until, excluded.paused_until)`,
    [credential, bucket, until],
  );
}

/** After a failed call: rests for 1, 2, 4, ... s, at most 5 minutes. */
export async function backOffBucket(sql: Sql, { credential, bucket }: Bucket, now: Date): Promise<void> {
  await sql.query(
    `insert into api_limits as l (credential, bucket, failures, paused_until)
     values ($1, $2, 1, $3::timestamptz + interval '1 s')
     on conflict (credential, bucket) do update set
       failures = l.failures + 1,
       paused_until = greatest(l.paused_until, $3 + least(power(2, least(l.failures, 20)), 300) * interval '1 s')`,
    [credential, bucket, now],
  );
}

/** After an answered call: the next failure starts the back-off from the beginning. */
export async function clearFailures(sql: Sql, { credential, bucket }: Bucket): Promise<void> {
  await sql.query(
    'update api_limits set failures = 0 where credential = $1 and bucket = $2 and failures > 0',
    [credential, bucket],
  );
}
