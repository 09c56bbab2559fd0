/** The consumer's side of the bus: a registry of what a process consumes, from bytes to an effect in a transaction. */
import {
  context as otelContext,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { z } from 'zod';
import { expectDeadLetters } from './bus/dead-letter-metrics.ts';
import {
  type Bus,
  type MessageHandler,
  PoisonMessageError,
  type ReceivedMessage,
  RetryLaterError,
} from './bus/port.ts';
import { runInContext } from './context.ts';
import { type Database, isConnectionError, type Transaction } from './db.ts';
import { type EventDefinition, fromHeaders, type HooklineEvent } from './events/envelope.ts';
import type { Topic } from './events/topics.ts';
import { watchGauge } from './gauges.ts';
import { newId } from './ids.ts';
import { runOnce } from './inbox.ts';
import type { Logger } from './logger.ts';
import { areMetricsOn, createDurationMetric } from './metrics.ts';

type Effect<T> = (tx: Transaction, event: HooklineEvent<T>) => Promise<void>;

/** What a consumer does with one type of event. Made by `on`, so that data and schema belong together. */
export type EventReaction = {
  definition: EventDefinition;
  effect: Effect<never>;
  concerns: (data: never) => boolean;
};

/** @param concerns false for data that this consumer has no effect for: passed over without a transaction. */
export function on<S extends z.ZodType>(
  definition: EventDefinition<S>,
  effect: Effect<z.output<S>>,
  concerns: (data: z.output<S>) => boolean = () => true,
): EventReaction {
  return { definition, effect: effect as Effect<never>, concerns };
}

export type Consumer = {
  /** File name of the consumer; the group is `<service>.<name>`. */
  name: string;
  reactions: readonly EventReaction[];
};

export type ConsumerRuntime = { service: string; db: Database; bus: Bus; log: Logger };

/**
 * Subscribes every consumer of a service. Types that a consumer does not name are passed over; a known type in
 * an unknown version or with data that breaks its schema is dead-lettered.
 */
export async function startConsumers(
  runtime: ConsumerRuntime,
  consumers: readonly Consumer[],
): Promise<void> {
  for (const consumer of consumers) {
    const group = `${runtime.service}.${consumer.name}`;
    const topics = [...new Set(consumer.reactions.map(reaction => reaction.definition.topic))] as Topic[];
    const handle = (message: ReceivedMessage) => receive(runtime, group, consumer.reactions, message);
    await runtime.bus.subscribe({ group, topics, handler: areMetricsOn() ? measure(group, handle) : handle });
    watchLag(runtime.bus, group, topics);
    expectDeadLetters(group, topics);
  }
}

/** Duration and outcome of each message, retries one by one. */
function measure(group: string, handle: MessageHandler): MessageHandler {
  const record = createDurationMetric('messaging.process.duration');
  return async message => {
    const beganMs = performance.now();
    let failure: string | undefined;
    try {
      await handle(message);
    } catch (error) {
      failure = (error as Error).name;
      throw error;
    } finally {
      record(performance.now() - beganMs, {
        'messaging.destination.name': message.topic,
        'messaging.consumer.group.name': group,
        'error.type': failure,
      });
    }
  };
}

function watchLag(bus: Bus, group: string, topics: readonly Topic[]): void {
  watchGauge('hookline.bus.lag', async () =>
    (await bus.lag(group, topics)).map(({ topic, partition, lag }) => ({
      value: lag,
      attributes: {
        'messaging.consumer.group.name': group,
        'messaging.destination.name': topic,
        'messaging.destination.partition.id': String(partition),
      },
    })),
  );
}

async function receive(
  { db, log }: ConsumerRuntime,
  group: string,
  reactions: readonly EventReaction[],
  message: ReceivedMessage,
): Promise<void> {
  const event = readEvent(message);
  const known = reactions.filter(reaction => reaction.definition.type === event.type);
  if (known.length === 0) return;
  const reaction = known.find(candidate => candidate.definition.version === event.version);
  if (!reaction)
    throw new PoisonMessageError(`${event.type} version ${event.version} is not known to ${group}`);
  const data = readData(reaction.definition, message.value);
  if (!reaction.concerns(data as never)) return;
  const requestContext = { requestId: event.requestId ?? newId('req'), traceparent: event.traceparent };
  await runInContext(requestContext, () =>
    inConsumerSpan(group, message, async () => {
      try {
        const isNew = await runOnce(db, group, event.id, tx =>
          reaction.effect(tx, { ...event, data } as never),
        );
        log.debug({ group, event: event.type, eventId: event.id, isNew }, 'event consumed');
      } catch (error) {
        if (isConnectionError(error)) throw new RetryLaterError('the database is away', { cause: error });
        throw error;
      }
    }),
  );
}

function readEvent(message: ReceivedMessage): Omit<HooklineEvent, 'data'> {
  try {
    return fromHeaders(message.headers, message.topic);
  } catch (error) {
    throw new PoisonMessageError('the headers are not those of an event', { cause: error });
  }
}

function readData(definition: EventDefinition, value: string): unknown {
  try {
    return definition.data.parse(JSON.parse(value));
  } catch (error) {
    throw new PoisonMessageError(`the data does not fit ${definition.type} version ${definition.version}`, {
      cause: error,
    });
  }
}

// Extraction by hand of the carrier in the message: the kafkajs instrumentation would overwrite it.
async function inConsumerSpan(
  group: string,
  message: ReceivedMessage,
  work: () => Promise<void>,
): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, message.headers);
  const span = trace.getTracer('hookline').startSpan(
    `process ${message.topic}`,
    {
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.destination.name': message.topic,
        'messaging.operation.type': 'process',
        'messaging.consumer.group.name': group,
        'messaging.destination.partition.id': String(message.partition),
      },
    },
    parent,
  );
  try {
    await otelContext.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
    throw error;
  } finally {
    span.end();
  }
}
