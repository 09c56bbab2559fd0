/** The writing side of the outbox: an event is a row in the transaction of the change it tells of. */
import type { z } from 'zod';
import { type EventDefinition, type HooklineEvent, toHeaders } from '../events/index.ts';
import { currentContext, currentTraceparent, newId } from '../kernel/index.ts';
import type { Sql, Transaction } from '../postgres/index.ts';

export type NewEvent<S extends z.ZodType> = {
  /** Owner of the resource. */
  accountId: string;
  /** Id of the resource, the message key. */
  subject: string;
  /** The service that writes it, `/services/<name>` on the wire. */
  source: string;
  at: Date;
  data: z.input<S>;
};

/**
 * Writes an event in the caller's transaction. Call it after the aggregate's row is locked, so that the order
 * of outbox ids is the order of commits per key.
 * @returns the event as it will travel, its `sequence` counted per (resource type, id).
 * @throws ZodError when the data does not fit the event's schema: a fault of ours, and nothing is written.
 */
export async function appendEvent<S extends z.ZodType>(
  tx: Transaction,
  definition: EventDefinition<S>,
  event: NewEvent<S>,
): Promise<HooklineEvent<z.output<S>>> {
  const [full] = await appendEvents(tx, definition, [event]);
  return full as HooklineEvent<z.output<S>>;
}

/**
 * Writes many events of one type in two statements, in the order given; those of one resource count on from each
 * other. As `appendEvent` otherwise.
 * @param events of one `source`.
 */
export async function appendEvents<S extends z.ZodType>(
  tx: Transaction,
  definition: EventDefinition<S>,
  events: readonly NewEvent<S>[],
): Promise<HooklineEvent<z.output<S>>[]> {
  const [first] = events;
  if (!first) return [];
  const resourceOf = (event: NewEvent<S>): string => `${definition.type.split('.')[0]}:${event.subject}`;
  const data = events.map(event => definition.data.parse(event.data));
  const sequences = await takeSequences(tx, events.map(resourceOf));
  const written = events.map((event, index): HooklineEvent<z.output<S>> => {
    const resource = resourceOf(event);
    const sequence = (sequences.get(resource) ?? 0) + 1;
    sequences.set(resource, sequence);
    return {
      id: newId('event', event.at.getTime()),
      type: definition.type,
      version: definition.version,
      topic: definition.topic,
      subject: event.subject,
      accountId: event.accountId,
      sequence,
      requestId: currentContext()?.requestId ?? null,
      time: event.at.toISOString(),
      source: `/services/${event.source}`,
      traceparent: currentTraceparent(),
      data: data[index] as z.output<S>,
    };
  });
  await tx.query(
    `insert into outbox (event_id, topic, key, payload, headers)
     select event_id, $1, key, payload, headers
     from unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) with ordinality
       as e (event_id, key, payload, headers, place)
     order by place`,
    [
      definition.topic,
      written.map(event => event.id),
      written.map(event => event.subject),
      written.map(event => JSON.stringify(event.data)),
      written.map(event => JSON.stringify(toHeaders(event))),
    ],
  );
  tx.notifyAfterCommit(outboxChannel(first.source));
  return written;
}

/** The sequence of the last event written of a resource, 0 before the first. */
export async function findLastSequence(sql: Sql, resourceType: string, id: string): Promise<number> {
  const [row] = await sql.query<{ sequence: number }>(
    'select sequence from event_sequences where resource = $1',
    [`${resourceType}:${id}`],
  );
  return row?.sequence ?? 0;
}

/** The same of several resources, by their ids; those without an event are left out. */
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

/** Counts every resource on by as often as it is named. @returns the sequence that each had before. */
async function takeSequences(tx: Transaction, resources: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const resource of resources) counts.set(resource, (counts.get(resource) ?? 0) + 1);
  const counted = await tx.query<{ resource: string; sequence: number }>(
    `insert into event_sequences as s (resource, sequence)
     select * from unnest($1::text[], $2::bigint[]) as given (resource, count) order by resource
     on conflict (resource) do update set sequence = s.sequence + excluded.sequence
     returning resource, sequence`,
    [[...counts.keys()], [...counts.values()]],
  );
  return new Map(counted.map(({ resource, sequence }) => [resource, sequence - (counts.get(resource) ?? 0)]));
}

/** What wakes the relay of a service. */
export function outboxChannel(service: string): string {
  return `outbox_${service}`;
}
