import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { WriteContext } from '../context.ts';
import { scheduleColumns } from '../schedules/queries.ts';
import type { ScheduleRow } from '../schedules/record.ts';

export async function insertRestore(tx: Transaction, backupAt: Date, now: Date): Promise<void> {
  await tx.query('insert into restores (restored_at, backup_at) values ($1, $2)', [now, backupAt]);
}

export type Restore = { restoredAt: Date; backupAt: Date };

/** @returns null if the data were never restored. */
export function findLastRestore(sql: Sql): Promise<Restore | null> {
  return sql.row<Restore>(
    `select restored_at as "restoredAt", backup_at as "backupAt" from restores order by restored_at desc limit 1`,
  );
}

/**
 * Locks what may have been posted: it was being sent, was due by `until`, waited for a person and no whole bus
 * says that nobody posted it, or has later events and still waits or could be retried.
 */
export function lockUncertain(
  tx: Transaction,
  { until, scheduleIds, isWhole }: { until: Date; scheduleIds: readonly string[]; isWhole: boolean },
  countMax: number,
): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(
    `select ${scheduleColumns} from schedules
     where status = 'sending' or (status = 'pending' and least(scheduled_for, due_at) <= $1)
       or (status = 'due' and not $4)
       or (id = any($2::text[]) and (status in ('pending', 'due') or (failure ->> 'retryable')::boolean))
     order by id limit $3 for update`,
    [until, scheduleIds, countMax, isWhole],
  );
}

/**
 * Nothing claims a schedule without a due time, until somebody gives it a time or an operator releases it.
 */
export async function keepBack({ tx, now }: WriteContext, backupAt: Date, why: string): Promise<number> {
  const rows = await tx.query(
    `with kept as (
       update schedules set due_at = null, held_since = $2, updated_at = $2
       where status = 'pending' and due_at is not null
         -- A creation is dated by another clock than the backup.
         and created_at <= $1::timestamptz + interval '1 minute'
       returning id
     )
     insert into schedule_timeline (schedule_id, at, what, detail) select id, $2, 'kept_back', $3 from kept
     returning 1`,
    [backupAt, now, why],
  );
  return rows.length;
}

export async function releaseKeptBack(tx: Transaction, now: Date, countMax: number): Promise<number> {
  const rows = await tx.query(
    `with released as (
       update schedules set due_at = scheduled_for, held_since = null, updated_at = $1
       where id in (
         select id from schedules where status = 'pending' and due_at is null order by id limit $2 for update
       )
       returning id
     )
     insert into schedule_timeline (schedule_id, at, what, detail)
     select id, $1, 'released', 'by the operator' from released
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}

/** Where possible, the platform is asked once more for the outcome. */
export async function endOpenAttempts(tx: Transaction, scheduleId: string, now: Date): Promise<void> {
  await tx.query(
    `update attempts
     set state = 'unknown', links_closed_at = coalesce(links_closed_at, $2),
       next_poll_at = case when publish_id is not null then $2 end
     where schedule_id = $1 and state in ('calling', 'unconfirmed', 'accepted')`,
    [scheduleId, now],
  );
}
