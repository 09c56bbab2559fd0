/** SQL of the relay: rows that wait for the bus, and rows that it refused. */
import type { ClientBase } from 'pg';
import type { Sql } from '../../../postgres/index.ts';

export type OutboxRow = {
  id: number;
  topic: string;
  key: string;
  payload: string;
  headers: Record<string, string>;
  attempts: number;
};

type Found = { horizon: string; id: number | null } & Omit<OutboxRow, 'id'>;

/**
 * Takes the relay's lock, which lasts as long as the connection: the server ends it after `silenceMaxMs` without a
 * statement. @returns false when another holds it
 */
export async function takeRelayLock(
  connection: Pick<ClientBase, 'query'>,
  service: string,
  silenceMaxMs: number,
): Promise<boolean> {
  const { rows } = await connection.query<{ held: boolean }>(
    `select pg_try_advisory_lock(hashtext('hookline outbox'), hashtext($1)) as held,
       set_config('idle_session_timeout', $2, false)`,
    [service, String(silenceMaxMs)],
  );
  return rows[0]?.held ?? false;
}

/**
 * The oldest rows above the floor.
 * @returns with `horizon`, the oldest transaction in progress in this query's snapshot
 */
export async function findWaiting(
  sql: Sql,
  floor: number,
  rowsMax: number,
): Promise<{ rows: OutboxRow[]; horizon: bigint | null }> {
  const found = await sql.query<Found>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, o.*
     from (select) as always left join (
       select id, topic, key, payload, headers, attempts from outbox where id > $1 order by id limit $2
     ) as o on true
     order by o.id`,
    [floor, rowsMax],
  );
  const rows = found.filter((row): row is Found & OutboxRow => row.id !== null);
  return { rows, horizon: found[0] ? BigInt(found[0].horizon) : null };
}

export function findFloor(sql: Sql): Promise<number> {
  return sql.value<number>('select coalesce((select floor from outbox_floor), 0) as floor');
}

/** Raises the stored floor, never lowers it. */
export async function writeFloor(sql: Sql, floor: number): Promise<void> {
  await sql.query(
    `insert into outbox_floor as f (floor) values ($1)
     on conflict (is_only) do update set floor = greatest(f.floor, excluded.floor)`,
    [floor],
  );
}

export async function countRefusal(sql: Sql, id: number, reason: string): Promise<void> {
  await sql.query('update outbox set attempts = attempts + 1, last_error = $2 where id = $1', [id, reason]);
}

/** Moves a row that the bus permanently refused to `outbox_dead`. */
export async function setAside(sql: Sql, id: number, reason: string): Promise<void> {
  await sql.query(
    `with dead as (delete from outbox where id = $1 returning *)
     insert into outbox_dead (id, event_id, topic, key, payload, headers, attempts, last_error, created_at)
     select id, event_id, topic, key, payload, headers, attempts + 1, $2, created_at from dead`,
    [id, reason],
  );
}

/** Seconds that the oldest row above the floor has waited; 0 when none waits. */
export async function findWaitingSeconds(sql: Sql): Promise<number> {
  // Starts at the floor: published rows that a snapshot still sees must cost nothing.
  const rows = await sql.query<{ ageSeconds: number }>(
    `select extract(epoch from now() - created_at)::float8 as "ageSeconds" from outbox
     where id > coalesce((select floor from outbox_floor), 0) order by id limit 1`,
  );
  return rows[0]?.ageSeconds ?? 0;
}

/** Number of rows set aside, up to 10,000. */
export async function countDead(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    'select count(*) as count from (select from outbox_dead limit 10000) as dead',
  );
  return rows[0]?.count ?? 0;
}
