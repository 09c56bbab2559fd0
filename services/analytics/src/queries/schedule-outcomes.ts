import type { Transaction } from '@hookline/shared/postgres';

export type ScheduleOutcome = 'sent_to_drafts' | 'published' | 'failed';

/** Adds one to the account's counter of the UTC day on which the schedule ended. */
export async function incrementOutcome(
  tx: Transaction,
  event: { accountId: string; time: string },
  outcome: ScheduleOutcome,
): Promise<void> {
  await tx.query(
    `insert into schedule_outcomes as o (account_id, day, outcome, schedules)
     values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, 1)
     on conflict (account_id, day, outcome) do update set schedules = o.schedules + 1`,
    [event.accountId, event.time, outcome],
  );
}
