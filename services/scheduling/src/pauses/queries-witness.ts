import { columnsOf, type Sql } from '@hookline/shared/postgres';
import type { OwnEvent } from './own-event.rules.ts';
import type { Standing } from './went-back.rules.ts';

/**
 * Some managed services lack these functions. Read in a transaction that then commits, the position is
 * durable once the commit is acknowledged, including on a synchronous standby.
 */
const position = `select (pg_control_system()).system_identifier::text as "systemId",
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer as timeline,
  (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as lsn,
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as flushed`;

const noPosition = `select null::text as "systemId", null::integer as timeline, null::text as lsn, null::text as flushed`;

/** Call it outside a transaction, which a refusal aborts. A standby, which says nothing, throws. */
export async function canReadPosition(sql: Sql): Promise<boolean> {
  try {
    await sql.query(position);
    return true;
  } catch (error) {
    // Class 42 is no such function or no permission, 0A not supported here.
    if (/^(42|0A)/.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/** A few index lookups are the cost, so every batch of calls can afford it. */
export function readStanding(
  sql: Sql,
  attemptIds: readonly string[],
  withPosition: boolean,
): Promise<Standing> {
  return sql.only<Standing>(
    `with place as (${withPosition ? position : noPosition})
     select place.*,
       coalesce((
         select extract(epoch from max(resumed_at)) * 1000 from sending_pauses
         where cause in ('went_back', 'restored')
       ), 0)::float8 as "settledAtMs",
       (select count(*) from unnest($1::text[]) as remembered (id)
        where not exists (select 1 from attempts a where a.id = remembered.id)) as missing
     from place`,
    [attemptIds],
  );
}

/** The newest attempts of all senders that are younger than `since`. Attempts live for at least a week. */
export function listNewestAttempts(sql: Sql, since: Date): Promise<string[]> {
  return sql.column<string>(
    `select id from (select id, started_at from attempts order by id desc limit 4) as newest
     where started_at > $1`,
    [since],
  );
}

export type Server = Pick<Standing, 'systemId' | 'timeline'>;

/** This database knows which server's data the senders last compared with the bus. */
export function findServer(sql: Sql): Promise<Server | null> {
  return sql.row<Server>('select system_id as "systemId", timeline from witnessed_server');
}

export async function recordServer(sql: Sql, { systemId, timeline }: Server): Promise<void> {
  await sql.query(
    `insert into witnessed_server as w (system_id, timeline) values ($1, $2)
     on conflict (one_row) do update set system_id = excluded.system_id, timeline = excluded.timeline
     where (w.system_id, w.timeline) is distinct from (excluded.system_id, excluded.timeline)`,
    [systemId, timeline],
  );
}

/** An operator has settled the database's history. */
export async function forgetServer(sql: Sql): Promise<void> {
  await sql.query('delete from witnessed_server');
}

/** The bus has this event, the database does not. */
export type UnknownEvent = OwnEvent & {
  /** The schedule's last event here has this sequence; 0: it has none. */
  storedSequence: number;
};

export function listUnknown(sql: Sql, events: readonly OwnEvent[]): Promise<UnknownEvent[]> {
  return sql.query<UnknownEvent>(
    `select e.*, coalesce(s.sequence, 0) as "storedSequence"
     from unnest($1::text[], $2::bigint[], $3::bigint[]) as e ("scheduleId", sequence, "timeMs")
     left join event_sequences s on s.resource = 'schedule:' || e."scheduleId"
     where e.sequence > coalesce(s.sequence, 0)`,
    columnsOf(events, 'scheduleId', 'sequence', 'timeMs'),
  );
}
