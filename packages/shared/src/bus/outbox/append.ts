/** Writes events to the outbox: an event is a row in the transaction of the change that it reports. */
import type { z } from 'zod';
import type { EventDefinition, HooklineEvent } from '../../events/index.ts';
import { currentContext, currentTraceparent, newId } from '../../kernel/index.ts';
import type { Transaction } from '../../postgres/index.ts';
import { addToSequences, insertEvents } from './queries/events.ts';

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
 * Writes many events of one type in two statements, in the order given. Events of one resource get
 * consecutive sequences. Otherwise like `appendEvent`.
 * @param events of one `source`
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
  const context = currentContext();
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
      requestId: context?.requestId ?? null,
      address: context?.clientAddress ?? null,
      time: event.at.toISOString(),
      source: `/services/${event.source}`,
      traceparent: currentTraceparent(),
      data: data[index] as z.output<S>,
    };
  });
  await insertEvents(tx, definition.topic, written);
  tx.notifyAfterCommit(outboxChannel(first.source));
  return written;
}

/** Advances each resource's sequence once per mention. @returns the previous sequence of each */
async function takeSequences(tx: Transaction, resources: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const resource of resources) counts.set(resource, (counts.get(resource) ?? 0) + 1);
  const counted = await addToSequences(tx, counts);
  return new Map(counted.map(({ resource, sequence }) => [resource, sequence - (counts.get(resource) ?? 0)]));
}

/** The notification channel that wakes the relay of a service. */
export function outboxChannel(service: string): string {
  return `outbox_${service}`;
}
