import type { Schedule } from '@hookline/shared/contracts/schedules';
import type { Sql, Transaction } from '@hookline/shared/postgres';
import { databaseIsCertain } from '../pauses/queries.ts';
import type { FiringAnswerRow } from './record.ts';

export type ScheduleRequest = {
  firingId: string;
  accountId: string;
  automationId: string;
  contentId: string;
  platformAccountId: string;
  scheduledFor: Date;
  mode: Schedule['mode'];
  privacyLevel: Schedule['privacyLevel'];
  scheduleId: string;
  requestId: string | null;
  /** These keys made or changed the automation. */
  keyIds: string[];
  tries: number;
};

/** Inserts once per firing, behind the other requests of its account and the turn being served. */
export async function insertScheduleRequest(
  tx: Transaction,
  row: Omit<ScheduleRequest, 'tries'>,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into schedule_requests (firing_id, account_id, automation_id, content_id, platform_account_id,
       scheduled_for, mode, privacy_level, schedule_id, request_id, due_at, created_at, key_ids, turn)
     select $1, $2, $3, $4, $5, $6::timestamptz, $7, $8, $9, $10, clock_timestamp(), $11::timestamptz, $12::text[], 1 + greatest(
       (select coalesce(min(turn) - 1, 0) from schedule_requests where due_at <= statement_timestamp()),
       (select coalesce(max(turn), 0) from schedule_requests where account_id = $2 and due_at is not null))
     on conflict do nothing`,
    [
      ...[row.firingId, row.accountId, row.automationId, row.contentId, row.platformAccountId],
      ...[row.scheduledFor, row.mode, row.privacyLevel, row.scheduleId, row.requestId, now, row.keyIds],
    ],
  );
}

/**
 * Accounts take turns, so that one with many requests does not delay the others. A dead worker's request
 * comes back after `againInMs`. None is claimed while the database may have gone back: `close-after` has to
 * see them unanswered.
 */
export function claimScheduleRequest(sql: Sql, againInMs: number): Promise<ScheduleRequest | null> {
  return sql.row<ScheduleRequest>(
    `update schedule_requests
     set due_at = clock_timestamp() + $1 * interval '1 ms', tries = tries + 1
     where firing_id in (
       select firing_id from schedule_requests where due_at <= statement_timestamp() and ${databaseIsCertain}
       order by turn, due_at limit 1 for update skip locked
     )
     returning firing_id as "firingId", account_id as "accountId", automation_id as "automationId",
       content_id as "contentId", platform_account_id as "platformAccountId", scheduled_for as "scheduledFor",
       mode, privacy_level as "privacyLevel", schedule_id as "scheduleId", request_id as "requestId", tries,
       coalesce(key_ids, '{}') as "keyIds"`,
    [againInMs],
  );
}

/** @returns true for the one caller that may answer. */
export function answerScheduleRequest(tx: Transaction, firingId: string): Promise<boolean> {
  return tx.exists(
    'update schedule_requests set due_at = null where firing_id = $1 and due_at is not null returning 1',
    [firingId],
  );
}

export async function postponeScheduleRequest(sql: Sql, firingId: string, inMs: number): Promise<void> {
  await sql.query(
    `update schedule_requests set due_at = clock_timestamp() + $2 * interval '1 ms'
     where firing_id = $1 and due_at is not null`,
    [firingId, inMs],
  );
}

export function findNextRequestMs(sql: Sql): Promise<number | null> {
  return sql.value<number | null>(
    `select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::float8 as ms
     from schedule_requests where due_at is not null and ${databaseIsCertain}`,
  );
}

/** Requests stay for 60 days, twice the inbox's retention: no event can repeat one after that. */
export async function pruneScheduleRequests(sql: Sql, now: Date, countMax: number): Promise<number> {
  const rows = await sql.query(
    `delete from schedule_requests where firing_id in (
       select firing_id from schedule_requests
       where created_at < $1::timestamptz - interval '60 days' and due_at is null
       order by created_at limit $2)
     returning 1`,
    [now, countMax],
  );
  return rows.length;
}

export function listAnswersToFirings(sql: Sql, firingIds: readonly string[]): Promise<FiringAnswerRow[]> {
  return sql.query<FiringAnswerRow>(
    `select asked.id as "firingId", s.id, s.content_id as "contentId", s.status, s.failure,
       case when r.firing_id is null then 'none' when r.due_at is null then 'answered' else 'waiting' end as request
     from unnest($1::text[]) as asked (id)
       left join schedules s on s.firing_id = asked.id
       left join schedule_requests r on r.firing_id = asked.id`,
    [firingIds],
  );
}
