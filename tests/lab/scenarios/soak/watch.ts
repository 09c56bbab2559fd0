/** Observes processes and their database from outside, as an operator would. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '@hookline/shared/postgres';
import type { DistributedProduct } from '../../kit/product/distributed.ts';
import { services } from '../../kit/product/stack.ts';
import type { Sample, TableSize } from './judge.ts';

export async function takeSample(product: DistributedProduct, db: Database, atMs: number): Promise<Sample> {
  const processes = services.flatMap(service =>
    product.replicas(service).map(({ pid }, at) => [`${service} ${at + 1}`, measure(pid)] as const),
  );
  const rows = await db.query<{ role: string; count: number }>(
    `select usename as role, count(*)::int as count from pg_stat_activity
     where datname = current_database() and usename = any ($1) group by usename`,
    [services],
  );
  return {
    atMs,
    processes: Object.fromEntries(processes),
    connections: Object.fromEntries(rows.map(({ role, count }) => [role, count])),
  };
}

function measure(pid: number): { rssBytes: number; descriptors: number } {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { rssBytes: Number(kilobytes) * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

export function listTables(db: Database): Promise<TableSize[]> {
  return db.query<TableSize>(
    `select schemaname || '.' || relname as name, pg_table_size(relid)::float8 as bytes,
       n_live_tup::int as live, n_dead_tup::int as dead
     from pg_stat_user_tables where schemaname = any ($1) order by 1`,
    [services],
  );
}

/** Rows that no relay has published yet, over all services. */
export async function countOutboxRows(db: Database): Promise<number> {
  const tables = await db.query<{ name: string }>(
    `select quote_ident(schemaname) || '.outbox' as name from pg_tables where tablename = 'outbox' and schemaname = any ($1)`,
    [services],
  );
  let count = 0;
  for (const { name } of tables) {
    const [row] = await db.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    count += row?.count ?? 0;
  }
  return count;
}
