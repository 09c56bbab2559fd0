import { pruneBatch } from '@hookline/shared/kernel';
import type { Sql, Transaction } from '@hookline/shared/postgres';

export type ScheduleNews = { scheduleId: string; contentId: string; isWaiting: boolean; sequence: number };

/** Records whether a schedule waits. An event older than the last one changes nothing. */
export async function recordSchedule(tx: Transaction, news: ScheduleNews, at: Date): Promise<void> {
  await tx.query(
    `insert into known_schedules (schedule_id, content_id, is_waiting, sequence, updated_at)
     values ($1, $2, $3, $4, $5)
     on conflict (schedule_id) do update
       set is_waiting = excluded.is_waiting, sequence = excluded.sequence, updated_at = excluded.updated_at
       where known_schedules.sequence < excluded.sequence`,
    [news.scheduleId, news.contentId, news.isWaiting, news.sequence, at],
  );
}

/** Records that a known schedule ended, as far as the given event. */
export async function endSchedule(
  tx: Transaction,
  { scheduleId, sequence }: Pick<ScheduleNews, 'scheduleId' | 'sequence'>,
  at: Date,
): Promise<void> {
  await tx.query(
    `update known_schedules set is_waiting = false, sequence = $2, updated_at = $3
     where schedule_id = $1 and is_waiting and sequence <= $2`,
    [scheduleId, sequence, at],
  );
}

/** Forgets schedules that ended before the given time. @returns their number, at most 1,000 */
export async function pruneSchedules(sql: Sql, before: Date): Promise<number> {
  const pruned = await sql.query(
    `delete from known_schedules where schedule_id in (
       select schedule_id from known_schedules where not is_waiting and updated_at < $1
       order by updated_at limit ${pruneBatch}
     ) returning 1`,
    [before],
  );
  return pruned.length;
}
