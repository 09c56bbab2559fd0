/** Reads the database's position and checks that it still has the commits of this process. */
import { oneRow, type Sql } from '@hookline/shared/postgres';
import type { Standing } from '../rules/went-back.ts';

/**
 * Null if the server does not report it (some managed services lack these functions). Read in a
 * transaction that then commits, the position is durable once the commit is acknowledged, including on a
 * synchronous standby.
 */
const position = `select (pg_control_system()).system_identifier::text as "systemId",
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer as timeline,
  (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as lsn`;

const noPosition = `select null::text as "systemId", null::integer as timeline, null::text as lsn`;

/**
 * True if the service's role may read the position. Call it outside a transaction, which a refusal would
 * abort.
 */
export async function canReadPosition(sql: Sql): Promise<boolean> {
  try {
    await sql.query(position);
    return true;
  } catch (error) {
    // Class 42: no such function or no permission. 0A and 55: not supported here.
    if (/^(42|0A|55)/.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/**
 * Reads the position, the last settlement by an operator, and how many of these attempts are missing. Costs a
 * few index lookups, so it can be part of every batch of calls.
 */
export async function readStanding(
  sql: Sql,
  attemptIds: readonly string[],
  withPosition: boolean,
): Promise<Standing> {
  return oneRow(
    await sql.query<Standing>(
      `with place as (${withPosition ? position : noPosition})
       select place.*,
         coalesce((
           select extract(epoch from max(resumed_at)) * 1000 from sending_pauses
           where cause in ('went_back', 'restored')
         ), 0)::float8 as "settledAtMs",
         (select count(*) from unnest($1::text[]) as asked (id)
          where not exists (select 1 from attempts a where a.id = asked.id)) as missing
       from place`,
      [attemptIds],
    ),
  );
}

export type OwnEvent = { topic: string; partition: number; offset: number; scheduleId: string | null };

/**
 * Records that the event was read.
 * @returns the sequence of the schedule's last event here, 0 if it has none.
 */
export async function recordOwnEvent(
  sql: Sql,
  { topic, partition, offset, scheduleId }: OwnEvent,
): Promise<number> {
  const row = oneRow(
    await sql.query<{ sequence: number }>(
      `with recorded as (
         insert into witnessed_offsets as w (topic, partition, settled) values ($1, $2, $3)
         on conflict (topic, partition) do update set settled = greatest(w.settled, excluded.settled)
       )
       select coalesce((select sequence from event_sequences where resource = 'schedule:' || $4), 0) as sequence`,
      [topic, partition, offset + 1, scheduleId ?? ''],
    ),
  );
  return row.sequence;
}

export type RecordedOffset = { topic: string; partition: number; settled: number };

export function listRecordedOffsets(sql: Sql): Promise<RecordedOffset[]> {
  return sql.query<RecordedOffset>('select topic, partition, settled from witnessed_offsets');
}

/** Adds partitions that are not recorded yet. */
export async function adoptOffsets(sql: Sql, offsets: readonly RecordedOffset[]): Promise<void> {
  await sql.query(
    `insert into witnessed_offsets (topic, partition, settled)
     select * from unnest($1::text[], $2::integer[], $3::bigint[])
     on conflict do nothing`,
    [offsets.map(one => one.topic), offsets.map(one => one.partition), offsets.map(one => one.settled)],
  );
}

export async function forgetOffsets(sql: Sql): Promise<void> {
  await sql.query('delete from witnessed_offsets');
}
