/**
 * The consumer side of the bus: a registry of a process's consumers, from bytes to an effect in a
 * transaction.
 */
import { AsyncResource } from 'node:async_hooks';
import {
  context as otelContext,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { z } from 'zod';
import {
  type Bus,
  deadLetterTopic,
  expectDeadLetters,
  type GroupLag,
  hasJustHandled,
  type MessageHandler,
  type OnceEffect,
  PoisonMessageError,
  type ReceivedMessage,
  RetryLaterError,
  redriveGroup,
  redriveHeader,
  runAllOnce,
  runOnce,
} from '../bus/index.ts';
import type { Topic } from '../events/index.ts';
import { type EventDefinition, fromHeaders, type HooklineEvent } from '../events/index.ts';
import type { Logger } from '../kernel/index.ts';
import {
  areMetricsOn,
  createDurationMetric,
  createGatherer,
  hourMs,
  newId,
  runInContext,
  sharedMetrics,
  watchGauge,
  watchStuck,
  watchWork,
} from '../kernel/index.ts';
import { type Database, isConnectionError, isPassingFault, type Transaction } from '../postgres/index.ts';

type Effect<T> = (tx: Transaction, event: HooklineEvent<T>) => Promise<void>;

/** The reaction of a consumer to one type of event. Made by `on`, which ties the data to its schema. */
export type EventReaction = {
  definition: EventDefinition;
  effect: Effect<never>;
  concerns: (data: never) => boolean;
};

/** @param concerns false for data without an effect here: skipped without a transaction */
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
  /**
   * Events in flight at the same time share transactions. For effects of a few statements, whose main cost is
   * the commit. Effects must lock only rows of their event's account. One that fails is retried alone, so
   * that it does not fail the others.
   */
  gathers?: boolean;
};

export type ConsumerRuntime = {
  service: string;
  db: Database;
  bus: Bus;
  log: Logger;
  /**
   * Longest time that a message holds up those behind it while others of its group are handled, or until this
   * process is replaced by one that knows its newer version. Default 3,600,000.
   */
  holdMaxMs?: number;
};

/**
 * Subscribes every consumer of a service. Types that a consumer does not name are skipped. A known type with
 * invalid data, or in a version that is no longer known, is dead-lettered. A newer version than those known
 * comes from a producer that was rolled out first: it is retried for up to an hour before it is
 * dead-lettered.
 */
export async function startConsumers(
  runtime: ConsumerRuntime,
  consumers: readonly Consumer[],
): Promise<void> {
  const { db, holdMaxMs = hourMs } = runtime;
  const newer = createNewerVersions(holdMaxMs);
  const read = new Set<Topic>();
  for (const consumer of consumers) {
    const group = `${runtime.service}.${consumer.name}`;
    const topics = [...new Set(consumer.reactions.map(reaction => reaction.definition.topic))] as Topic[];
    const once = consumer.gathers ? gatherOnce(db, group) : eachOnce(db, group);
    // A locked table or a slow disk holds up the others of the group too.
    const isOwnFault = async ({ passingSince }: ReceivedMessage): Promise<boolean> =>
      passingSince !== undefined &&
      Date.now() - passingSince.getTime() >= holdMaxMs &&
      (await hasJustHandled(db, group));
    const dealing = { reactions: consumer.reactions, newer, once, isOwnFault };
    const handle = (message: ReceivedMessage) =>
      watchWork(group, runtime.log, () => receive(runtime, group, dealing, message));
    await runtime.bus.subscribe({
      group,
      topics,
      handler: areMetricsOn() ? measure(group, handle) : handle,
      ...(consumer.gathers && { atOnce: gatheredMax }),
    });
    watchLag(runtime.bus, group, topics);
    expectDeadLetters(group, topics);
    watchStuck(group);
    for (const topic of topics) read.add(topic);
  }
  // Every reader of a topic may leave dead letters of it, which wait for the operator.
  if (read.size > 0) watchLag(runtime.bus, redriveGroup, [...read].map(deadLetterTopic));
}

/** Newer versions that this process has seen, and since when. */
type NewerVersions = {
  /** @throws RetryLaterError until the version has been seen for the longest time */
  await(event: Omit<HooklineEvent, 'data'>): void;
};

/** Counted from the first event of a version, so that those behind it do not wait an hour each. */
function createNewerVersions(maxMs: number): NewerVersions {
  const firstSeenMs = new Map<string, number>();
  return {
    await({ type, version }) {
      const name = `${type} version ${version}`;
      const nowMs = performance.now();
      const sinceMs = firstSeenMs.get(name) ?? nowMs;
      firstSeenMs.set(name, sinceMs);
      if (nowMs - sinceMs < maxMs)
        throw new RetryLaterError(`${name} is newer than this process; it waits to be replaced`);
    },
  };
}

/** Runs an effect in a transaction with the event's inbox row. @returns false when it was handled before */
type RunOnce = (
  event: Pick<HooklineEvent, 'id' | 'accountId'>,
  effect: OnceEffect['effect'],
) => Promise<boolean>;

// Events of one account share a lane, so that lanes do not wait for each other's locks. An account with
// locked rows delays only its lane.
const gatherLanes = 3;
const gatheredMax = 32;

function eachOnce(db: Database, group: string): RunOnce {
  return (event, effect) => runOnce(db, group, event.id, effect);
}

function gatherOnce(db: Database, group: string): RunOnce {
  const lanes = Array.from({ length: gatherLanes }, () =>
    createGatherer<OnceEffect, boolean>(
      effects => runAllOnce(db, group, effects),
      gatheredMax,
      isConnectionError,
    ),
  );
  return ({ id, accountId }, effect) => {
    const lane = lanes[laneOf(accountId)] as (typeof lanes)[number];
    // Each effect keeps the request and span of its own message.
    return lane({ eventId: id, orderedBy: accountId, effect: AsyncResource.bind(effect) });
  };
}

function laneOf(accountId: string): number {
  let sum = 0;
  for (let at = 0; at < accountId.length; at += 1) sum = (sum * 31 + accountId.charCodeAt(at)) % 65_521;
  return sum % gatherLanes;
}

/** Duration and outcome of each message, retries one by one. */
function measure(group: string, handle: MessageHandler): MessageHandler {
  const record = createDurationMetric(sharedMetrics.metrics.messageDuration);
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

/** Reports the group's lag and settled offsets, as `hookline.bus.lag` and `hookline.bus.settled`. */
function watchLag(bus: Bus, group: string, topics: readonly string[]): void {
  let asked: Promise<GroupLag[]> | undefined;
  // Both gauges are read at the same time, by one request.
  const ask = (): Promise<GroupLag[]> => {
    asked ??= bus.lag(group, topics).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const read = async (value: 'lag' | 'settled') =>
    (await ask()).map(({ topic, partition, ...values }) => ({
      value: values[value],
      attributes: {
        'messaging.consumer.group.name': group,
        'messaging.destination.name': topic,
        'messaging.destination.partition.id': String(partition),
      },
    }));
  watchGauge(sharedMetrics.metrics.busLag, () => read('lag'));
  watchGauge(sharedMetrics.metrics.busSettled, () => read('settled'));
}

type Dealing = {
  reactions: readonly EventReaction[];
  newer: NewerVersions;
  once: RunOnce;
  /** Whether a transient fault of the message has turned out to be one of its own. */
  isOwnFault: (message: ReceivedMessage) => Promise<boolean>;
};

async function receive(
  { log }: ConsumerRuntime,
  group: string,
  { reactions, newer, once, isOwnFault }: Dealing,
  message: ReceivedMessage,
): Promise<void> {
  const redrivenFor = message.headers[redriveHeader];
  if (redrivenFor !== undefined && redrivenFor !== group) return;
  const event = readEvent(message);
  const known = reactions.filter(reaction => reaction.definition.type === event.type);
  if (known.length === 0) return;
  const reaction = known.find(candidate => candidate.definition.version === event.version);
  if (!reaction) {
    if (known.every(({ definition }) => definition.version < event.version)) newer.await(event);
    throw new PoisonMessageError(`${event.type} version ${event.version} is not known to ${group}`);
  }
  const data = readData(reaction.definition, message.value, () => newer.await(event));
  if (!reaction.concerns(data as never)) return;
  const requestContext = { requestId: event.requestId ?? newId('req'), traceparent: event.traceparent };
  await runInContext(requestContext, () =>
    inConsumerSpan(group, message, async () => {
      try {
        const isNew = await once(event, tx => reaction.effect(tx, { ...event, data } as never));
        log.debug({ group, event: event.type, eventId: event.id, isNew }, 'event consumed');
      } catch (error) {
        if (isPassingFault(error)) {
          if (!(await isOwnFault(message))) throw error;
          const what = `${error.message}, while others of the group were handled`;
          throw new PoisonMessageError(what, { cause: error });
        }
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

/** @param awaitNewer called for a field that the schema refuses as unknown: its producer was rolled out first */
function readData(definition: EventDefinition, value: string, awaitNewer: () => void): unknown {
  try {
    return definition.data.parse(JSON.parse(value));
  } catch (error) {
    const isNewer =
      error instanceof z.ZodError && error.issues.some(({ code }) => code === 'unrecognized_keys');
    if (isNewer) awaitNewer();
    throw new PoisonMessageError(`the data does not fit ${definition.type} version ${definition.version}`, {
      cause: error,
    });
  }
}

// Extracts the carrier of the message itself: the kafkajs instrumentation would overwrite it.
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
