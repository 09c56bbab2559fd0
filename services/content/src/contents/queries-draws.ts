import type { Sql } from '@hookline/shared/postgres';

const recent = `select stamp from unnest(edit_draws.stamps) as stamp where stamp > $2::timestamptz - interval '1 minute'`;

/**
 * Counts a drawing edit of the account, unless `drawsMax` of the last minute are counted.
 * @returns milliseconds until the next one is possible; 0 if this one is counted
 */
export async function takeEditDraw(
  sql: Sql,
  accountId: string,
  now: Date,
  drawsMax: number,
): Promise<number> {
  const isCounted = await sql.exists(
    `insert into edit_draws (account_id, stamps) values ($1, array[$2::timestamptz])
     on conflict (account_id) do update set stamps = array(${recent} order by stamp) || $2::timestamptz
     where (select count(*) from (${recent}) as last_minute) < $3
     returning 1`,
    [accountId, now, drawsMax],
  );
  if (isCounted) return 0;
  const oldest = await sql.value<Date | null>(
    `select (select min(stamp) from (${recent}) as last_minute) as oldest from edit_draws where account_id = $1`,
    [accountId, now],
  );
  return Math.max(1, (oldest?.getTime() ?? 0) + 60_000 - now.getTime());
}
