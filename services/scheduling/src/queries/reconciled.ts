import type { Schedule } from '@hookline/shared/contracts/schedules';
import type { Sql } from '@hookline/shared/postgres';

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
