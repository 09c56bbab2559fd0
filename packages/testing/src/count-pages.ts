import { openDedicatedConnection, type Sql, toSql } from '@hookline/shared/postgres';
import { createMigratedDatabase } from './service-harness.ts';

type Connection = Awaited<ReturnType<typeof openDedicatedConnection>>;

/** Pages that the last statement of `read` reads, as Postgres counts them. `read` gets no rows. */
export async function countPages(
  connection: Connection,
  read: (sql: Sql) => Promise<unknown>,
): Promise<number> {
  let pages = 0;
  const sql = toSql(async (text, values) => {
    const explained = `explain (analyze, buffers, format json) ${text}`;
    // The lower of two counts is taken: an autovacuum that ends in between makes a run read the catalog again.
    const counts = [];
    while (counts.length < 2) {
      const { rows } = await connection.query(explained, values as unknown[]);
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      counts.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    }
    pages = Math.min(...counts);
    return [];
  });
  await read({ ...sql, only: async (text, values) => (await sql.query(text, values)) as never });
  return pages;
}

export type FilledDatabase = {
  pagesOf(read: (sql: Sql) => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
};

/**
 * A migrated database with the rows that `fill` inserts. Inserting many rows in one
 * statement has no time limit.
 */
export async function openFilledDatabase(fill: string): Promise<FilledDatabase> {
  const database = await createMigratedDatabase();
  const connection = await openDedicatedConnection(database.url, 'test', { queryTimeoutMs: 0 });
  await connection.query(fill);
  // As autovacuum would: index-only scans and skipped dead rows belong to what is measured.
  await connection.query('vacuum analyze');
  return {
    pagesOf: read => countPages(connection, read),
    async close() {
      await connection.end();
      await database.drop();
    },
  };
}
