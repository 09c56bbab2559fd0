/** Rows that other services compare with their own records. */
import type { Schedule } from '@hookline/shared/contracts/schedules';
import type { Sql } from '@hookline/shared/postgres';
import type { FiringAnswerRow } from '../records/firing-answer.ts';

/** Excludes withdrawn schedules. */
export function listScheduleStates(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; status: Schedule['status'] }[]> {
  return sql.query<{ id: string; status: Schedule['status'] }>(
    'select id, status from schedules where id = any($1::text[])',
    [ids],
  );
}

/** One row per firing. */
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
