import { createRequire } from 'node:module';
import { type Admin, type Consumer, Kafka, type LogEntry, logLevel } from 'kafkajs';
import { type BusLog, type DeliveryHooks, loggedHooks, waitUnlessAborted } from './delivery.ts';
import { type BatchWorker, createBatchWorker, type WireMessage } from './kafka-batch.ts';
import { createSender } from './kafka-sender.ts';
import { type Bus, type BusMessage, type GroupLag, RetryLaterError, type Subscription } from './port.ts';
import { refuseUnknownTopics, withDeadLetterTopics } from './topic-names.ts';
import { within } from './within.ts';

const heartbeatIntervalMs = 2_000;
const rebalanceTimeoutMs = 30_000;
const fetchWaitMs = 500;
const silenceMaxMs = 90_000;
const rebuildAfterMinMs = 500;
const rebuildAfterMaxMs = 2_000;
const healthWithinMs = 1_500;
const commitEveryMs = 1_000;
const commitEveryMessages = 100;

export type KafkaBusOptions = {
  brokers: readonly string[];
  clientId: string;
  log: BusLog;
  /** Partitions of a topic that `ensureTopics` makes. Changing it later breaks the order of keys. Default 6. */
  partitions?: number;
  /** Appended to every group's name, so that test runs on one broker do not share groups. */
  groupSuffix?: string;
  /** After this without a heartbeat a dead consumer's partitions go to others; 6,000 to 30,000. Default 8,000. */
  sessionTimeoutMs?: number;
  hooks?: DeliveryHooks;
};

/** The bus of the distributed mode. Only the `kafka*.ts` files know kafkajs. */
export function createKafkaBus(options: KafkaBusOptions): Bus {
  const { brokers, clientId, log, partitions = 6, groupSuffix = '', sessionTimeoutMs = 8_000 } = options;
  quietIdleConnections();
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    logLevel: logLevel.INFO,
    logCreator: () => entry => writeLog(log, entry),
    // Given in full, because kafkajs takes other defaults under NODE_ENV=test.
    retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000, factor: 0.2, multiplier: 2 },
  });
  const sender = createSender(kafka);
  const admin = createAdmin(kafka);
  const hooks = loggedHooks(log, options.hooks);
  const groups = new Map<string, SupervisedGroup>();
  const knownTopics = new Set<string>();
  let closed = false;

  /** kafkajs would retry an unknown topic without end: it counts as retriable. */
  async function refuseUnknown(topics: readonly string[]): Promise<void> {
    if (topics.every(topic => knownTopics.has(topic))) return;
    const present = await admin
      .use(client => client.listTopics())
      .catch(error => {
        throw new RetryLaterError('Kafka does not say which topics it has', { cause: error });
      });
    for (const topic of present) knownTopics.add(topic);
    refuseUnknownTopics(topics, knownTopics);
  }

  async function publishDeadLetter(deadLetter: BusMessage, raw: WireMessage): Promise<void> {
    await refuseUnknown([deadLetter.topic]);
    await sender.send([{ ...deadLetter, key: raw.key, value: raw.value }]);
  }

  function groupOf(group: string): SupervisedGroup {
    const found = groups.get(group);
    if (!found) throw new Error(`the group ${group} is not subscribed in this process`);
    return found;
  }

  return {
    async ensureTopics(topics) {
      const present = new Set(await admin.use(client => client.listTopics()));
      const missing = withDeadLetterTopics(topics).filter(topic => !present.has(topic));
      if (missing.length === 0) return;
      const made = missing.map(topic => ({ topic, numPartitions: partitions }));
      // False when another process made them first, which is as good.
      await admin.use(client => client.createTopics({ topics: made, waitForLeaders: true }));
    },
    async publish(batch) {
      if (closed) throw new Error('the bus is closed');
      if (batch.length === 0) return;
      await refuseUnknown([...new Set(batch.map(message => message.topic))]);
      await sender.send(batch);
    },
    async subscribe(subscription) {
      const { group, topics } = subscription;
      if (closed) throw new Error('the bus is closed');
      if (groups.has(group)) throw new Error(`the group ${group} is already subscribed in this process`);
      await refuseUnknown(topics);
      const worker = createBatchWorker({ subscription, hooks, publishDeadLetter });
      const supervised = superviseGroup({
        ...{ kafka, subscription, worker, log, sessionTimeoutMs },
        groupId: `${group}${groupSuffix}`,
        partitionsAtOnce: partitions,
      });
      groups.set(group, supervised);
      await supervised.joined;
    },
    pause: async group => groupOf(group).pause(),
    resume: async group => groupOf(group).resume(),
    async lag(group, topics) {
      await refuseUnknown(topics);
      return admin.use(client => readLag(client, group, groupSuffix, topics));
    },
    async health() {
      if (closed) return { ok: false, reason: 'the bus is closed' };
      for (const [group, supervised] of groups) {
        // Once it was, it comes back by itself as soon as the broker does, though members that died hold it up for the length of
        // their session; requests need not wait for it.
        if (!supervised.hasJoined()) return { ok: false, reason: `the group ${group} is not joined` };
      }
      try {
        const described = admin.use(client => client.describeCluster());
        await within(healthWithinMs, described, 'Kafka gave no answer');
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: error instanceof Error ? error.message : String(error) };
      }
    },
    async close(timeoutMs = 10_000) {
      const left = Promise.all([...groups.values()].map(group => group.close()));
      await within(timeoutMs, left, 'handlers are still at work').catch(error =>
        log.warn({ err: error }, 'the bus closes with messages in hand; they will be delivered again'),
      );
      // Until here dead letters of the messages in hand could still be written.
      closed = true;
      await within(2_000, Promise.all([sender.close(), admin.close()]), 'Kafka did not disconnect').catch(
        error => log.warn({ err: error }, 'the bus did not close in good order'),
      );
    },
  };
}

type SharedAdmin = { use<T>(task: (client: Admin) => Promise<T>): Promise<T>; close(): Promise<void> };

function createAdmin(kafka: Kafka): SharedAdmin {
  let admin: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const made = kafka.admin({ retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 500 } });
    await made.connect();
    return made;
  }

  return {
    async use(task) {
      admin ??= connect();
      const current = admin;
      try {
        return await task(await current);
      } catch (error) {
        if (admin === current) admin = undefined;
        current.then(made => made.disconnect()).catch(() => {});
        throw error;
      }
    },
    async close() {
      const last = await admin?.catch(() => undefined);
      await last?.disconnect();
    },
  };
}

type SupervisedGroup = {
  /** Resolves at the first join. */
  joined: Promise<void>;
  /** At least once. */
  hasJoined(): boolean;
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
};

type SuperviseOptions = {
  kafka: Kafka;
  groupId: string;
  subscription: Subscription;
  worker: BatchWorker;
  log: BusLog;
  sessionTimeoutMs: number;
  partitionsAtOnce: number;
};

/** Keeps one consumer of the group running: builds another when it crashes, fails to connect or falls silent. */
function superviseGroup(options: SuperviseOptions): SupervisedGroup {
  const { groupId, subscription, worker, log } = options;
  const firstJoin = Promise.withResolvers<void>();
  const closing = new AbortController();
  const topicsToPause = subscription.topics.map(topic => ({ topic }));
  let current: Consumer | undefined;
  let isJoined = false;
  let hasJoined = false;
  let isPaused = false;
  let failures = 0;
  let lastSeenMs = performance.now();

  function watch(consumer: Consumer): void {
    const { GROUP_JOIN, HEARTBEAT, FETCH, REBALANCING, CRASH } = consumer.events;
    const whenCurrent = (react: () => void) => () => {
      if (consumer === current) react();
    };
    const seen = whenCurrent(() => {
      lastSeenMs = performance.now();
    });
    consumer.on(HEARTBEAT, seen);
    consumer.on(FETCH, seen);
    consumer.on(REBALANCING, whenCurrent(worker.noteJoined));
    consumer.on(
      GROUP_JOIN,
      whenCurrent(() => {
        worker.noteJoined();
        isJoined = true;
        hasJoined = true;
        failures = 0;
        lastSeenMs = performance.now();
        if (isPaused) consumer.pause(topicsToPause);
        firstJoin.resolve();
      }),
    );
    consumer.on(
      CRASH,
      whenCurrent(() => {
        log.warn({ groupId }, 'the Kafka consumer crashed and is built anew');
        void rebuild();
      }),
    );
  }

  async function build(): Promise<void> {
    const consumer = makeConsumer(options);
    current = consumer;
    lastSeenMs = performance.now();
    watch(consumer);
    await consumer.connect();
    await consumer.subscribe({ topics: [...subscription.topics], fromBeginning: true });
    if (closing.signal.aborted) return;
    await consumer.run({
      eachBatchAutoResolve: false,
      autoCommitInterval: commitEveryMs,
      autoCommitThreshold: commitEveryMessages,
      partitionsConsumedConcurrently: options.partitionsAtOnce,
      eachBatch: payload => worker.work(payload),
    });
  }

  async function rebuild(): Promise<void> {
    isJoined = false;
    worker.noteJoined();
    const last = current;
    current = undefined;
    last?.disconnect().catch(() => {});
    const waitMs = Math.min(rebuildAfterMaxMs, rebuildAfterMinMs * 2 ** failures);
    failures += 1;
    await waitUnlessAborted(waitMs, closing.signal);
    if (!closing.signal.aborted) await start();
  }

  async function start(): Promise<void> {
    try {
      await build();
    } catch (error) {
      log.warn({ err: error, groupId }, 'the Kafka consumer could not start');
      await rebuild();
    }
  }

  const watchdog = setInterval(() => {
    if (current === undefined || performance.now() - lastSeenMs < silenceMaxMs) return;
    log.warn({ groupId }, 'the Kafka consumer fell silent and is built anew');
    void rebuild();
  }, 10_000).unref();

  void start();

  return {
    joined: firstJoin.promise,
    hasJoined: () => hasJoined,
    async pause() {
      isPaused = true;
      if (isJoined) current?.pause(topicsToPause);
      await worker.stop();
    },
    resume() {
      isPaused = false;
      worker.resume();
      if (isJoined) current?.resume(topicsToPause);
    },
    async close() {
      clearInterval(watchdog);
      closing.abort();
      await worker.stop();
      firstJoin.reject(new Error('the bus was closed before the group was joined'));
      await current?.disconnect();
    },
  };
}

function makeConsumer({ kafka, groupId, sessionTimeoutMs }: SuperviseOptions): Consumer {
  return kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatIntervalMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    // `disconnect` waits for the fetch under way.
    maxWaitTimeInMs: fetchWaitMs,
    allowAutoTopicCreation: false,
    // One way back from every crash: the supervisor's, since kafkajs restarts only after some errors.
    retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000, restartOnFailure: async () => false },
  });
}

async function readLag(
  client: Admin,
  group: string,
  groupSuffix: string,
  topics: readonly string[],
): Promise<GroupLag[]> {
  const committed = await client.fetchOffsets({ groupId: `${group}${groupSuffix}`, topics: [...topics] });
  const lags: GroupLag[] = [];
  for (const { topic, partitions } of committed) {
    const offsets = new Map(partitions.map(({ partition, offset }) => [partition, offset]));
    for (const { partition, high, low } of await client.fetchTopicOffsets(topic)) {
      const settledTo = BigInt(offsets.get(partition) ?? -1);
      // -1: the group has not committed yet and will start at the oldest message.
      const lag = BigInt(high) - (settledTo < BigInt(low) ? BigInt(low) : settledTo);
      lags.push({ group, topic, partition, lag: Number(lag) });
    }
  }
  return lags;
}

// Repeated for every attempt while a broker is away; this adapter's own lines tell of it once.
const repetitiveNamespaces = ['BrokerPool', 'Connection', 'Producer'];

/** What kafkajs calls an error it mostly retries; what ends a consumer or a send is logged by this adapter. */
function writeLog(log: BusLog, { level, namespace, log: entry }: LogEntry): void {
  const { message, timestamp: _, logger: __, stack: ___, ...fields } = entry;
  const isWarning = level <= logLevel.WARN && !repetitiveNamespaces.includes(namespace);
  log[isWarning ? 'warn' : 'debug']({ namespace, ...fields }, `kafkajs: ${message}`);
}

type RequestQueue = { pending: readonly unknown[]; throttledUntil: number };
let isQuiet = false;

/**
 * kafkajs 2.2.4 re-arms a timer with a negative delay on each connection for as long as it is open: an idle
 * producer and consumer came to 3,250 timers a second, 4 % of a core. A timer is needed only while a request
 * waits or the broker throttles.
 */
function quietIdleConnections(): void {
  if (isQuiet) return;
  isQuiet = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: { scheduleCheckPendingRequests(this: RequestQueue): void };
  };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhenWaiting() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}
