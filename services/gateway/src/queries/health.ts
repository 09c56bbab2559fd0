import type { Sql } from '@hookline/shared/postgres';

/** True when the database answers. */
export async function isAnswering(sql: Sql): Promise<boolean> {
  await sql.query('select 1');
  return true;
}
