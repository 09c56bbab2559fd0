import type { Sql } from '@hookline/shared/postgres';

export async function isKnownPair(sql: Sql, pairHash: Buffer): Promise<boolean> {
  const rows = await sql.query('select 1 from sign_in_addresses where pair_hash = $1', [pairHash]);
  return rows.length > 0;
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
