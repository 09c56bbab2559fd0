import type { Sql, Transaction } from '@hookline/shared/db';

export async function addTimeline(
  tx: Transaction,
  scheduleId: string,
  at: Date,
  what: string,
  detail: string | null = null,
): Promise<void> {
  await tx.query('insert into schedule_timeline (schedule_id, at, what, detail) values ($1, $2, $3, $4)', [
    scheduleId,
    at,
    what,
    detail,
  ]);
}

export async function listTimeline(
  sql: Sql,
  scheduleId: string,
): Promise<{ at: string; what: string; detail: string | null }[]> {
  const rows = await sql.query<{ at: Date; what: string; detail: string | null }>(
    'select at, what, detail from schedule_timeline where schedule_id = $1 order by id limit 1000',
    [scheduleId],
  );
  return rows.map(row => ({ ...row, at: row.at.toISOString() }));
}
