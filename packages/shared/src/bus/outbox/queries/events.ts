/** SQL that writes events to the outbox. */
import { type HooklineEvent, toHeaders } from '../../../events/index.ts';
import { columnsOf, type Sql, type Transaction } from '../../../postgres/index.ts';

/** Inserts events in the order given. */
export async function insertEvents(
  tx: Transaction,
  topic: string,
  events: readonly HooklineEvent<unknown>[],
): Promise<void> {
  await tx.query(
    `insert into outbox (event_id, topic, key, payload, headers)
     select event_id, $1, key, payload, headers
     from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) with ordinality
       as e (event_id, key, payload, headers, place)
     order by place`,
    [
      topic,
      ...columnsOf(events, 'id', 'subject'),
      events.map(event => JSON.stringify(event.data)),
      events.map(event => JSON.stringify(toHeaders(event))),
    ],
  );
}

/** Adds to the sequence of each resource, locking in a fixed order. @returns the new sequences */
export function addToSequences(
  tx: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<{ resource: string; sequence: number }[]> {
  return tx.query(
    `insert into event_sequences as s (resource, sequence)
     select * from unnest($1::text[], $2::bigint[]) as given (resource, count) order by resource
     on conflict (resource) do update set sequence = s.sequence + excluded.sequence
     returning resource, sequence`,
    [[...counts.keys()], [...counts.values()]],
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
