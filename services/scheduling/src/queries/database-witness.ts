/** Reads the database's position and checks that it still has the commits of this process. */
import { oneRow, type Sql } from '@hookline/shared/postgres';
import type { OwnEvent } from '../rules/own-event.ts';
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

export type Server = Pick<Standing, 'systemId' | 'timeline'>;

/** The server that the senders saw last, as this database has it. */
export async function findServer(sql: Sql): Promise<Server | null> {
  const [row] = await sql.query<Server>('select system_id as "systemId", timeline from witnessed_server');
  return row ?? null;
}

export async function recordServer(sql: Sql, { systemId, timeline }: Server): Promise<void> {
  await sql.query(
    `insert into witnessed_server as w (system_id, timeline) values ($1, $2)
     on conflict (one_row) do update set system_id = excluded.system_id, timeline = excluded.timeline
     where (w.system_id, w.timeline) is distinct from (excluded.system_id, excluded.timeline)`,
    [systemId, timeline],
  );
}

/** The events of one partition from an offset on, up to the next offset to read. */
export type ReadRange = { topic: string; partition: number; from: number; next: number };

/** An event of the bus that the database does not have. */
export type UnknownEvent = OwnEvent & {
  /** The sequence of the schedule's last event here, 0 if it has none. */
  known: number;
};

const unknownEvents = `
  select e.*, coalesce(s.sequence, 0) as known
  from unnest($1::text[], $2::bigint[], $3::bigint[]) as e ("scheduleId", sequence, "timeMs")
  left join event_sequences s on s.resource = 'schedule:' || e."scheduleId"
  where e.sequence > coalesce(s.sequence, 0)`;

const columnsOf = (events: readonly OwnEvent[]) => [
  events.map(event => event.scheduleId),
  events.map(event => event.sequence),
  events.map(event => event.timeMs),
];

export function listUnknown(sql: Sql, events: readonly OwnEvent[]): Promise<UnknownEvent[]> {
  return sql.query<UnknownEvent>(unknownEvents, columnsOf(events));
}

/**
 * Records that the range was read, unless the database lacks one of its events: that event must have its
 * effect first. Nothing is recorded either if events before the range are not recorded yet.
 * @returns the unknown events, and whether events before the range are missing in the record
 */
export async function recordIfKnown(
  sql: Sql,
  { topic, partition, from, next }: ReadRange,
  events: readonly OwnEvent[],
): Promise<{ unknown: UnknownEvent[]; hasGap: boolean }> {
  return oneRow(
    await sql.query<{ unknown: UnknownEvent[]; hasGap: boolean }>(
      `with missing as (${unknownEvents}), recorded as (
         insert into witnessed_offsets as w (topic, partition, settled)
         select $4::text, $5::integer, $7::bigint where not exists (select from missing)
         on conflict (topic, partition) do update set settled = greatest(w.settled, excluded.settled)
         where w.settled >= $6
       )
       select coalesce((select jsonb_agg(missing) from missing), '[]') as unknown,
         coalesce(
           (select settled < $6 from witnessed_offsets where topic = $4 and partition = $5), false
         ) as "hasGap"`,
      [...columnsOf(events), topic, partition, from, next],
    ),
  );
}

/** Records that the range was read, with all its effects. */
export async function recordRange(sql: Sql, { topic, partition, from, next }: ReadRange): Promise<void> {
  await sql.query(
    `update witnessed_offsets set settled = greatest(settled, $4)
     where topic = $1 and partition = $2 and settled >= $3`,
    [topic, partition, from, next],
  );
}

export type RecordedOffset = { topic: string; partition: number; settled: number };

export function listRecordedOffsets(sql: Sql): Promise<RecordedOffset[]> {
  return sql.query<RecordedOffset>('select topic, partition, settled from witnessed_offsets');
}

/**
 * Lowers the record of a partition whose topic was created again. Nothing happens if it has changed since.
 */
export async function lowerOffset(
  sql: Sql,
  { topic, partition, settled }: RecordedOffset,
  to: number,
): Promise<void> {
  await sql.query(
    'update witnessed_offsets set settled = $4 where topic = $1 and partition = $2 and settled = $3',
    [topic, partition, settled, to],
  );
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

/** For a database whose history an operator has settled: from now on it is compared with what follows. */
export async function forgetWitnesses(sql: Sql): Promise<void> {
  await sql.query('delete from witnessed_offsets');
  await sql.query('delete from witnessed_server');
}
