import type { HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { countSchedule } from '../metrics.ts';
import { incrementOutcome, type ScheduleOutcome } from '../queries/schedule-outcomes.ts';

/** Adds the end of a schedule to the account's count of that day. */
export async function recordOutcome(
  tx: Transaction,
  event: Pick<HooklineEvent, 'accountId' | 'time'>,
  outcome: ScheduleOutcome,
): Promise<void> {
  await incrementOutcome(tx, event, outcome);
  countSchedule(outcome);
}
