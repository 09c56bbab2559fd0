/** Replicas share the pace of a creator: its newest calls are counted under its row lock. */
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { initsPerMinute, statusCallsPerMinute } from '../timings.ts';

// The platform's window is a sliding minute by its own clock; half a second covers the network delay.
const windowSeconds = 60.5;

export type InitSlot = { openId: string; waitMs: number };

/** Takes one of the 6 inits of this minute, or says how long to wait. The creators must be locked. */
export async function takeInitSlots(tx: Transaction, openIds: readonly string[]): Promise<InitSlot[]> {
  // The sixth timestamp closes the window until the oldest of the six leaves it.
  return await tx.query<InitSlot>(
    `with recent as (
       select c.open_id, c.next_init_at, array(
         select stamp from unnest(c.init_stamps) stamp
         where stamp > statement_timestamp() - $2 * interval '1 s' order by stamp desc limit ${initsPerMinute - 1}
       ) as newest
       from creators c where c.open_id = any($1::text[])
     ),
     taken as (
       update creators c
       set init_stamps = recent.newest || clock_timestamp(),
         next_init_at = case when cardinality(recent.newest) >= ${initsPerMinute - 1}
           then recent.newest[${initsPerMinute - 1}] + $2 * interval '1 s' end
       from recent
       where c.open_id = recent.open_id and coalesce(recent.next_init_at, '-infinity') <= statement_timestamp()
       returning c.open_id
     )
     select recent.open_id as "openId",
       case when taken.open_id is null
         then (extract(epoch from recent.next_init_at - clock_timestamp()) * 1000)::float8 else 0 end as "waitMs"
     from recent left join taken on taken.open_id = recent.open_id`,
    [openIds, windowSeconds],
  );
}

/** After "too many" from the platform, no post of this creator begins for a while. */
export async function pauseInits(tx: Transaction, openId: string, forMs: number): Promise<void> {
  await tx.query(
    `update creators set next_init_at = clock_timestamp() + $2 * interval '1 ms' where open_id = $1`,
    [openId, forMs],
  );
}

/** @returns false if none of the 30 status calls of this minute is left. */
export function takeStatusSlot(sql: Sql, openId: string): Promise<boolean> {
  return sql.exists(
    `update creators
     set status_stamps = array(select s from unnest(status_stamps) s
                               where s > clock_timestamp() - $2 * interval '1 s') || clock_timestamp()
     where open_id = $1
       and (select count(*) from unnest(status_stamps) s where s > clock_timestamp() - $2 * interval '1 s') < $3
     returning 1`,
    [openId, windowSeconds, statusCallsPerMinute],
  );
}
