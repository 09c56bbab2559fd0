/** The tables that a backup copies and a restore checks, as described by the database itself. */
import type { Sql } from '@hookline/shared/postgres';
import type pg from 'pg';

/** A table with its columns in order, without computed ones. */
export type CopiedTable = { schema: string; table: string; columns: string[] };

export type Sequence = { schema: string; name: string; lastValue: string };

export type AppliedMigration = { schema: string; name: string; digest: string };

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function nameOf({ schema, table }: Pick<CopiedTable, 'schema' | 'table'>): string {
  return `${identifier(schema)}.${identifier(table)}`;
}

/**
 * Tables of the schemas, each after those that its foreign keys reference; a partitioned table as one. Left
 * out: the record of migrations, and detached months of snapshots (`left`).
 */
export async function listTables(
  sql: Sql,
  schemas: readonly string[],
): Promise<{ tables: CopiedTable[]; left: string[] }> {
  const rows = await sql.query<CopiedTable & { needs: string[] }>(
    `select n.nspname as schema, c.relname as table,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct fn.nspname || '.' || f.relname from pg_constraint k
         join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1::text[]) and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
     order by n.nspname, c.relname`,
    [schemas],
  );
  const isDetached = (table: string): boolean => /^metric_snapshots_\d{4}_\d{2}$/.test(table);
  const left = rows.filter(row => isDetached(row.table)).map(row => `${row.schema}.${row.table}`);
  return { tables: inOrder(rows.filter(row => !isDetached(row.table))), left };
}

function inOrder(rows: readonly (CopiedTable & { needs: string[] })[]): CopiedTable[] {
  const ordered: CopiedTable[] = [];
  const placed = new Set<string>();
  const waiting = new Set(rows);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(row => row.needs.every(name => placed.has(name)));
    if (ready.length === 0) throw new Error('the foreign keys of the tables go in a circle');
    for (const row of ready) {
      const { schema, table, columns } = row;
      ordered.push({ schema, table, columns });
      placed.add(`${schema}.${table}`);
      waiting.delete(row);
    }
  }
  return ordered;
}

/** SQL that copies a table to or from the client, in Postgres's text format. */
export function copyText(table: CopiedTable, direction: 'out' | 'in'): string {
  const columns = table.columns.map(identifier).join(', ');
  return direction === 'out'
    ? `copy (select ${columns} from ${nameOf(table)}) to stdout`
    : `copy ${nameOf(table)} (${columns}) from stdin`;
}

export async function hasRows(sql: Sql, table: CopiedTable): Promise<boolean> {
  return (await sql.query(`select 1 from ${nameOf(table)} limit 1`)).length > 0;
}

export function listSequences(sql: Sql, schemas: readonly string[]): Promise<Sequence[]> {
  return sql.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = any($1::text[]) and last_value is not null order by schemaname, sequencename`,
    [schemas],
  );
}

export async function setSequence(sql: Sql, { schema, name, lastValue }: Sequence): Promise<void> {
  await sql.query('select setval($1::regclass, $2::bigint)', [
    `${identifier(schema)}.${identifier(name)}`,
    lastValue,
  ]);
}

export async function listMigrations(sql: Sql, schemas: readonly string[]): Promise<AppliedMigration[]> {
  const migrations: AppliedMigration[] = [];
  for (const schema of schemas) {
    const rows = await sql.query<AppliedMigration>(
      `select $1 as schema, name, digest from ${identifier(schema)}.migrations order by name`,
      [schema],
    );
    migrations.push(...rows);
  }
  return migrations;
}

/** @returns the given schemas that exist */
export async function listSchemas(sql: Sql, schemas: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname = any($1::text[])
     and to_regclass(quote_ident(nspname) || '.migrations') is not null order by nspname`,
    [schemas],
  );
  return rows.map(row => row.name);
}

/** First days of the months that have a partition, as dates. */
export async function listSnapshotMonths(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ month: string }>(
    `select to_char(to_date(right(c.relname, 7), 'YYYY_MM'), 'YYYY-MM-DD') as month
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'analytics.metric_snapshots'::regclass order by c.relname`,
  );
  return rows.map(row => row.month);
}

export async function ensureSnapshotMonth(sql: Sql, month: string): Promise<void> {
  // The function creates the partition in the first schema of the search path.
  await sql.query('set local search_path to analytics');
  await sql.query('select ensure_snapshot_partition($1::date)', [month]);
}

/** Days of published events that have a partition, as dates. */
export function listOutboxDays(
  sql: Sql,
  schemas: readonly string[],
): Promise<{ schema: string; day: string }[]> {
  return sql.query<{ schema: string; day: string }>(
    `select n.nspname as schema, replace(right(c.relname, 10), '_', '-') as day
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_class p on p.oid = i.inhparent join pg_namespace n on n.oid = p.relnamespace
     where p.relname = 'outbox_sent' and n.nspname = any($1::text[]) order by 1, 2`,
    [schemas],
  );
}

export async function ensureOutboxDay(sql: Sql, schema: string, day: string): Promise<void> {
  await sql.query(`set local search_path to ${identifier(schema)}`);
  await sql.query('select ensure_outbox_day($1::date)', [day]);
}

/** The product's processes that are connected to the database, by application name. */
export async function listProcesses(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'hookline %' and application_name not like 'hookline operator%' order by 1`,
  );
  return rows.map(row => row.name);
}

/** The connection in the form that query files accept. */
export function sqlOf(client: pg.Client): Sql {
  return {
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  };
}

/** Blocks other writers until the transaction ends. */
export async function lockTables(sql: Sql, tables: readonly CopiedTable[]): Promise<void> {
  await sql.query(`lock table ${tables.map(nameOf).join(', ')} in exclusive mode nowait`);
}

/**
 * Triggers that write rows of other tables would make them twice: those are in the backup. In the transaction
 * that fills the tables, so that a failure leaves the triggers on.
 */
export async function setTriggers(
  sql: Sql,
  tables: readonly CopiedTable[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await sql.query(`alter table ${nameOf(table)} ${state} trigger user`);
}

/**
 * Events published after the backup had higher numbers than the restored tables know. Numbers from now on
 * must be higher still, so that consumers that compare them treat new events as the newest. The same applies
 * to cursors of the feed.
 */
export async function leapSequences(sql: Sql, schemas: readonly string[], by: number): Promise<void> {
  for (const schema of schemas)
    await sql.query(`update ${identifier(schema)}.event_sequences set sequence = sequence + $1`, [by]);
  await sql.query('update automation.feed_heads set position = position + $1', [by]);
}
