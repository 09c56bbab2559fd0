/** What other services compare their records with. */
import type { Schedule, ScheduleFailure } from '@hookline/shared/contracts/schedules';
import type { Sql } from '@hookline/shared/postgres';

/** Those that are there. */
export function listScheduleStates(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; status: Schedule['status'] }[]> {
  return sql.query<{ id: string; status: Schedule['status'] }>(
    'select id, status from schedules where id = any($1::text[])',
    [ids],
  );
}

export type FiringAnswer = {
  firingId: string;
  id: string | null;
  contentId: string | null;
  status: Schedule['status'] | null;
  failure: ScheduleFailure | null;
  request: 'none' | 'waiting' | 'answered';
};

/** One row for each firing. */
export function listAnswersToFirings(sql: Sql, firingIds: readonly string[]): Promise<FiringAnswer[]> {
  return sql.query<FiringAnswer>(
    `select asked.id as "firingId", s.id, s.content_id as "contentId", s.status, s.failure,
       case when r.firing_id is null then 'none' when r.due_at is null then 'answered' else 'waiting' end as request
     from unnest($1::text[]) as asked (id)
       left join schedules s on s.firing_id = asked.id
       left join schedule_requests r on r.firing_id = asked.id`,
    [firingIds],
  );
}
