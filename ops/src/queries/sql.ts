import { type Sql, toSql } from '@hookline/shared/postgres';
import type pg from 'pg';

/** Schemas of the services that publish events: each has its own outbox. */
export const outboxSchemas: readonly string[] = ['content', 'scheduling', 'automation', 'analytics'];

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The connection in the form that query files accept. */
export function sqlOf(client: pg.Client): Sql {
  return toSql(async (text, values) => (await client.query(text, values as unknown[])).rows);
}

/** @returns the given schemas that exist */
export function listSchemas(sql: Sql, schemas: readonly string[]): Promise<string[]> {
  return sql.column<string>(
    `select nspname as name from pg_namespace where nspname = any($1::text[])
     and to_regclass(quote_ident(nspname) || '.migrations') is not null order by nspname`,
    [schemas],
  );
}

/** True when the database holds the bus, and something was ever published and not yet pruned. */
export function hasBusMessages(sql: Sql): Promise<boolean> {
  return sql.exists('select from bus.messages limit 1');
}

/**
 * Events published after the backup had higher numbers than the restored tables know. Numbers from now on
 * must be higher still, so that consumers that compare them treat new events as the newest. The same applies
 * to cursors of the feed.
 */
export async function leapSequences(sql: Sql, by: number): Promise<void> {
  for (const schema of outboxSchemas)
    await sql.query(`update ${identifier(schema)}.event_sequences set sequence = sequence + $1`, [by]);
  await sql.query('update automation.feed_heads set position = position + $1', [by]);
}

export function readClock(sql: Sql): Promise<Date> {
  return sql.value<Date>('select clock_timestamp() as now');
}
