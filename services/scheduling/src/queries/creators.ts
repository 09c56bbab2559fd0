/** Pace per creator: stamps of the newest calls, counted under the creator's row lock, so that replicas share it. */
import type { Sql, Transaction } from '@hookline/shared/db';
import { initsPerMinute, statusCallsPerMinute } from '../options.ts';

// The platform's window is a sliding minute of its own clock; half a second covers the way there.
const windowSeconds = 60.5;

export async function lockCreator(tx: Transaction, openId: string): Promise<void> {
  await tx.query('select 1 from creators where open_id = $1 for update', [openId]);
}

/** True while the creator's pace is used up, or another schedule of theirs is being sent. The row must be locked. */
export async function isCreatorBusy(tx: Transaction, openId: string, scheduleId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from creators where open_id = $1 and next_init_at > clock_timestamp()
     union all
     select 1 from schedules s join platform_accounts p on p.id = s.platform_account_id
     where p.open_id = $1 and s.id <> $2 and s.status = 'sending' and s.lease_until >= clock_timestamp()
     limit 1`,
    [openId, scheduleId],
  );
  return rows.length > 0;
}

/**
 * Takes one of the 6 inits of this minute. The creator's row is locked until the transaction ends.
 * @returns 0 when taken, else the milliseconds to wait.
 */
export async function takeInitSlot(tx: Transaction, openId: string): Promise<number> {
  const [row] = await tx.query<{ stamps: Date[]; waitMs: number }>(
    `select (extract(epoch from coalesce(c.next_init_at, clock_timestamp()) - clock_timestamp()) * 1000)::float8
        as "waitMs",
       array(select s from unnest(c.init_stamps) s
             where s > clock_timestamp() - $2 * interval '1 s' order by s) as stamps
     from creators c where c.open_id = $1 for update`,
    [openId, windowSeconds],
  );
  if (!row) throw new Error('the creator has no row');
  if (row.waitMs > 0) return row.waitMs;
  const isLast = row.stamps.length + 1 >= initsPerMinute;
  await tx.query(
    `update creators
     set init_stamps = $2::timestamptz[] || clock_timestamp(),
       next_init_at = case when $3 then coalesce($4::timestamptz, clock_timestamp()) + $5 * interval '1 s' end
     where open_id = $1`,
    [
      openId,
      row.stamps.slice(-(initsPerMinute - 1)),
      isLast,
      row.stamps.at(-(initsPerMinute - 1)) ?? null,
      windowSeconds,
    ],
  );
  return 0;
}

/** The platform said "too many": nobody starts a post for this creator before the time is over. */
export async function pauseInits(tx: Transaction, openId: string, forMs: number): Promise<void> {
  await tx.query(
    `update creators set next_init_at = clock_timestamp() + $2 * interval '1 ms' where open_id = $1`,
    [openId, forMs],
  );
}

/** Takes one of the 30 status calls of this minute. False: none is left. */
export async function takeStatusSlot(sql: Sql, openId: string): Promise<boolean> {
  const rows = await sql.query(
    `update creators
     set status_stamps = array(select s from unnest(status_stamps) s
                               where s > clock_timestamp() - $2 * interval '1 s') || clock_timestamp()
     where open_id = $1
       and (select count(*) from unnest(status_stamps) s where s > clock_timestamp() - $2 * interval '1 s') < $3
     returning 1`,
    [openId, windowSeconds, statusCallsPerMinute],
  );
  return rows.length > 0;
}
