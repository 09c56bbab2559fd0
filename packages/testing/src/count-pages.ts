import type { openDedicatedConnection, Sql } from '@hookline/shared/postgres';

/** Pages that the last statement of `read` reads, as Postgres counts them. `read` gets no rows. */
export async function countPages(
  connection: Awaited<ReturnType<typeof openDedicatedConnection>>,
  read: (sql: Sql) => Promise<unknown>,
): Promise<number> {
  let pages = 0;
  await read({
    async query(text, values) {
      const explained = `explain (analyze, buffers, format json) ${text}`;
      const { rows } = await connection.query(explained, values as unknown[]);
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return [];
    },
  });
  return pages;
}
