import { z } from 'zod';
import type { Topic } from './topics.ts';

/**
 * One type of event: its topic, version, payload and an example that the tests validate against the schema.
 */
export type EventDefinition<S extends z.ZodType = z.ZodType> = {
  /** `aggregate.past_verb`. */
  type: string;
  version: number;
  topic: Topic;
  about: string;
  data: S;
  example: z.output<S>;
};

/** An event has the version 1 unless it says so. */
export function defineEvent<S extends z.ZodType>(
  definition: Omit<EventDefinition<S>, 'version'> & { version?: number },
): EventDefinition<S> {
  return { version: 1, ...definition };
}

/**
 * An event as its producer or consumer sees it; on the wire it is a CloudEvent 1.0 in Kafka's binary mode.
 */
export type HooklineEvent<T = unknown> = {
  id: string;
  type: string;
  version: number;
  topic: Topic;
  /** Id of the resource: the message key. */
  subject: string;
  /** Owner of the resource; never shown to callers. */
  accountId: string;
  /** Counts per (resource type, id), assigned in the owner's transaction. */
  sequence: number;
  /** The request that caused it, if any. */
  requestId: string | null;
  /** The address of the client whose request caused it; never shown but in the audit log. Absent: unknown. */
  address?: string | null;
  time: string;
  source: string;
  traceparent: string;
  data: T;
};

const WireHeaders = z.object({
  ce_specversion: z.literal('1.0'),
  ce_id: z.string().min(1),
  ce_type: z.string().min(1),
  ce_source: z.string().min(1),
  ce_subject: z.string().min(1),
  ce_time: z.string().min(1),
  ce_dataversion: z.string().regex(/^\d+$/),
  ce_accountid: z.string().min(1),
  ce_sequence: z.string().regex(/^\d+$/),
  ce_requestid: z.string().optional(),
  ce_clientaddress: z.string().optional(),
  traceparent: z.string(),
});

export function toHeaders(event: HooklineEvent): Record<string, string> {
  return {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_type: event.type,
    ce_source: event.source,
    ce_subject: event.subject,
    ce_time: event.time,
    ce_dataversion: String(event.version),
    ce_accountid: event.accountId,
    ce_sequence: String(event.sequence),
    ...(event.requestId ? { ce_requestid: event.requestId } : {}),
    ...(event.address ? { ce_clientaddress: event.address } : {}),
    traceparent: event.traceparent,
  };
}

/** Reads the headers of a message. @throws ZodError when it is not an event of Hookline. */
export function fromHeaders(
  headers: Readonly<Record<string, string>>,
  topic: string,
): Omit<HooklineEvent, 'data'> {
  const wire = WireHeaders.parse(headers);
  return {
    id: wire.ce_id,
    type: wire.ce_type,
    version: Number(wire.ce_dataversion),
    topic: topic as Topic,
    subject: wire.ce_subject,
    accountId: wire.ce_accountid,
    sequence: Number(wire.ce_sequence),
    requestId: wire.ce_requestid ?? null,
    address: wire.ce_clientaddress ?? null,
    time: wire.ce_time,
    source: wire.ce_source,
    traceparent: wire.traceparent,
  };
}
