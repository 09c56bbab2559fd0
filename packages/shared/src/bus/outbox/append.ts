/** Writes events to the outbox: an event is a row in the transaction of the change that it reports. */
import type { z } from 'zod';
import type { EventDefinition, HooklineEvent } from '../../events/index.ts';
import { currentContext, currentTraceparent, newId } from '../../kernel/index.ts';
import type { Transaction } from '../../postgres/index.ts';
import { insertEvents } from './queries/events.ts';

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
 * Writes an event in the caller's transaction. Call it after locking the aggregate's row, so that the order
 * of outbox ids is the order of commits per key.
 * @returns the event as published, its `sequence` counted per (resource type, id)
 * @throws ZodError when the data does not fit the event's schema: a bug, and nothing is written
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
 * Writes many events of one type in one statement, in the order given. Events of one resource get
 * consecutive sequences. Otherwise like `appendEvent`.
 * @param events of one `source`
 */
export async function appendEvents<S extends z.ZodType>(
  tx: Transaction,
  { type, version, topic, data: schema }: EventDefinition<S>,
  events: readonly NewEvent<S>[],
): Promise<HooklineEvent<z.output<S>>[]> {
  const [first] = events;
  if (!first) return [];
  const context = currentContext();
  const written = events.map(({ at, source, data, ...event }) => ({
    ...event,
    ...{ type, version, topic },
    id: newId('event', at.getTime()),
    requestId: context?.requestId ?? null,
    address: context?.clientAddress ?? null,
    time: at.toISOString(),
    source: `/services/${source}`,
    traceparent: currentTraceparent(),
    data: schema.parse(data),
  }));
  const [resourceType = ''] = type.split('.');
  const sequences = await insertEvents(tx, { topic, resourceType }, written);
  tx.notifyAfterCommit(outboxChannel(first.source));
  return written.map((event, index) => ({ ...event, sequence: sequences[index] as number }));
}

/** The notification channel that wakes the relay of a service. */
export function outboxChannel(service: string): string {
  return `outbox_${service}`;
}
