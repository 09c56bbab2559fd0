import type { Consumer, Kafka } from 'kafkajs';
import { type BusLog, waitUnlessAborted } from '../delivery.ts';
import type { Subscription } from '../port.ts';
import { type BatchWorker, commitEveryMs } from './batch.ts';

const heartbeatIntervalMs = 2_000;
const rebalanceTimeoutMs = 30_000;
// A message ends the wait. At 500 ms an idle broker took 6 % of a core for the consumers of
// five services, at 2 s 3 %.
const fetchWaitMs = 2_000;
const silenceMaxMs = 90_000;
const rebuildAfterMinMs = 500;
const rebuildAfterMaxMs = 2_000;
// A commit is a replicated write, 50 ms on three busy brokers: at 100 a reader came to 1,700 messages a
// second with its processor idle. After a crash up to this many come again, and the inbox skips them.
const commitEveryMessages = 1_000;

export type SupervisedGroup = {
  /** Resolves at the first join. */
  joined: Promise<void>;
  /** True once it has joined, even if it has left since. */
  hasJoined(): boolean;
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

/** Keeps one consumer of the group running: replaces it when it crashes, fails to connect or falls silent. */
export function superviseGroup(options: SuperviseOptions): SupervisedGroup {
  const { groupId, subscription, worker, log } = options;
  const firstJoin = Promise.withResolvers<void>();
  const closing = new AbortController();
  let current: Consumer | undefined;
  /** Resolves once the current consumer runs or could not start. */
  let begun: Promise<unknown> = Promise.resolve();
  let hasJoined = false;
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
        hasJoined = true;
        failures = 0;
        lastSeenMs = performance.now();
        firstJoin.resolve();
      }),
    );
    consumer.on(
      CRASH,
      whenCurrent(() => {
        log.warn({ groupId }, 'the Kafka consumer crashed and is being replaced');
        void rebuild();
      }),
    );
  }

  /** Ends early if the consumer has been replaced: it would run unsupervised next to its successor. */
  async function build(consumer: Consumer): Promise<void> {
    const isWanted = (): boolean => consumer === current && !closing.signal.aborted;
    watch(consumer);
    await consumer.connect();
    if (isWanted()) await consumer.subscribe({ topics: [...subscription.topics], fromBeginning: true });
    if (!isWanted()) return await consumer.disconnect();
    await consumer.run({
      eachBatchAutoResolve: false,
      // kafkajs would also commit after every batch, which may be one message. The worker commits.
      autoCommit: false,
      autoCommitInterval: commitEveryMs,
      autoCommitThreshold: commitEveryMessages,
      partitionsConsumedConcurrently: options.partitionsAtOnce,
      eachBatch: payload => worker.work(payload),
    });
  }

  async function rebuild(): Promise<void> {
    worker.noteJoined();
    const last = current;
    current = undefined;
    // kafkajs cannot end a consumer that is joining: it would connect again, and run.
    begun.then(() => last?.disconnect()).catch(() => {});
    const waitMs = Math.min(rebuildAfterMaxMs, rebuildAfterMinMs * 2 ** failures);
    failures += 1;
    await waitUnlessAborted(waitMs, closing.signal);
    if (!closing.signal.aborted) await start();
  }

  async function start(): Promise<void> {
    const consumer = makeConsumer(options);
    current = consumer;
    lastSeenMs = performance.now();
    const building = build(consumer);
    begun = building.catch(() => {});
    try {
      await building;
    } catch (error) {
      // It has been replaced: its failure must not end the successor.
      if (consumer !== current) return;
      log.warn({ err: error, groupId }, 'the Kafka consumer could not start');
      await rebuild();
    }
  }

  const watchdog = setInterval(() => {
    if (current === undefined || performance.now() - lastSeenMs < silenceMaxMs) return;
    log.warn({ groupId }, 'the Kafka consumer fell silent and is being replaced');
    void rebuild();
  }, 10_000).unref();

  void start();

  return {
    joined: firstJoin.promise,
    hasJoined: () => hasJoined,
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
    // `disconnect` waits for the fetch in progress.
    maxWaitTimeInMs: fetchWaitMs,
    allowAutoTopicCreation: false,
    // The supervisor handles every crash, since kafkajs restarts only after some errors.
    retry: { retries: 5, initialRetryTime: 200, maxRetryTime: 2_000, restartOnFailure: async () => false },
  });
}
