/** SQL that writes events to the outbox. */
import { type HooklineEvent, toHeaders } from '../../../events/index.ts';
import { columnsOf, type Sql, type Transaction } from '../../../postgres/index.ts';

/**
 * Inserts events in the order given, and numbers them by resource. It locks the resources in a fixed order before
 * any event gets its id.
 * @returns their sequences
 */
export function insertEvents(
  tx: Transaction,
  { topic, resourceType }: { topic: string; resourceType: string },
  events: readonly Omit<HooklineEvent<unknown>, 'sequence'>[],
): Promise<number[]> {
  return tx.column<number>(
    `with given as (
       select * from unnest($3::text[], $4::text[], $5::text[], $6::jsonb[]) with ordinality
         as e (event_id, key, payload, headers, place)
     ), counted as (
       insert into event_sequences as s (resource, sequence)
       select $2 || ':' || key, count(*) from given group by key order by key
       on conflict (resource) do update set sequence = s.sequence + excluded.sequence
       returning resource, sequence
     ), numbered as (
       select given.*, c.sequence + 1 - row_number() over (partition by key order by place desc) as sequence
       from given join counted c on c.resource = $2 || ':' || key
     ), written as (
       insert into outbox (event_id, topic, key, payload, headers)
       select event_id, $1, key, payload, headers || jsonb_build_object('ce_sequence', sequence::text)
       from numbered order by place
     )
     select sequence from numbered order by place`,
    [
      topic,
      resourceType,
      ...columnsOf(events, 'id', 'subject'),
      events.map(event => JSON.stringify(event.data)),
      events.map(event => JSON.stringify(toHeaders({ ...event, sequence: 0 }))),
    ],
  );
}

/** The sequence of the last event of a resource, 0 before the first. */
export async function findLastSequence(sql: Sql, resourceType: string, id: string): Promise<number> {
  const found = await sql.value<number | null>('select sequence from event_sequences where resource = $1', [
    `${resourceType}:${id}`,
  ]);
  return found ?? 0;
}

/** The sequences of the last events of several resources, by id. Resources without an event are left out. */
export async function findLastSequences(
  sql: Sql,
  resourceType: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.query<{ id: string; sequence: number }>(
    `select asked.id, s.sequence
     from unnest($2::text[]) as asked (id) join event_sequences s on s.resource = $1 || ':' || asked.id`,
    [resourceType, ids],
  );
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}
