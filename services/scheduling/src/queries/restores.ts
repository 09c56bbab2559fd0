import type { Sql, Transaction } from '@hookline/shared/postgres';
import type { ScheduleRow } from '../records/schedule.ts';
import { scheduleColumns } from './schedules.ts';

export async function insertRestore(tx: Transaction, backupAt: Date, now: Date): Promise<void> {
  await tx.query('insert into restores (restored_at, backup_at) values ($1, $2)', [now, backupAt]);
}

export type Restore = { restoredAt: Date; backupAt: Date };

/** The newest restore; null if the data were never restored. */
export async function findLastRestore(sql: Sql): Promise<Restore | null> {
  const [row] = await sql.query<Restore>(
    `select restored_at as "restoredAt", backup_at as "backupAt" from restores order by restored_at desc limit 1`,
  );
  return row ?? null;
}

/** Locks schedules that may have been posted after the backup: those being sent, and those due by `until`. */
export function lockUncertain(tx: Transaction, until: Date, countMax: number): Promise<ScheduleRow[]> {
  return tx.query<ScheduleRow>(
    `select ${scheduleColumns} from schedules
     where status = 'sending' or (status = 'pending' and least(scheduled_for, due_at) <= $1)
     order by id limit $2 for update`,
    [until, countMax],
  );
}

/**
 * Ends the open attempts of a schedule. Where possible, the platform is asked once more for their outcome.
 */
export async function endOpenAttempts(tx: Transaction, scheduleId: string, now: Date): Promise<void> {
  await tx.query(
    `update attempts
     set state = 'unknown', links_closed_at = coalesce(links_closed_at, $2),
       next_poll_at = case when publish_id is not null then $2 end
     where schedule_id = $1 and state in ('calling', 'unconfirmed', 'accepted')`,
    [scheduleId, now],
  );
}
