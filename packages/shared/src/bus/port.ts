/**
 * The bus port: all that Hookline asks of a message bus. Two adapters implement it (`kafka/`,
 * `postgres-log/`), and `packages/testing/src/bus-contract.ts` is the suite that both must pass.
 *
 * Guaranteed: every published message reaches every group at least once; messages of one topic with the same
 * key reach a group in the order they were published. Not guaranteed: order across keys or topics, and
 * exactly once on the wire (the inbox provides that for effects).
 */

/** A message as stored on the bus. Header names are lower case; the value is JSON text (UTF-8). */
export type BusMessage = {
  topic: string;
  /** The resource's id. Messages of one key keep their order. */
  key: string;
  value: string;
  headers: Readonly<Record<string, string>>;
};

/** A message with its place on the bus. */
export type StoredMessage = BusMessage & {
  partition: number;
  /** Position in the topic's partition, decimal text because Kafka's offsets are 64-bit. */
  offset: string;
};

/** A message as a handler receives it. */
export type ReceivedMessage = StoredMessage & {
  /** 1 at the first delivery to this handler call chain, one more at each retry in place. */
  attempt: number;
  /** Time since which every attempt ended in a transient fault. */
  passingSince?: Date | undefined;
};

export type MessageHandler = (message: ReceivedMessage) => Promise<void>;

export type Subscription = {
  /** Consumer group, `<service>.<consumer file>`. One subscription per group and process. */
  group: string;
  topics: readonly string[];
  handler: MessageHandler;
  /**
   * Messages of different keys that may be in the handler at the same time: of one partition in Kafka
   * (default 1), of the group in the Postgres log (default 8). Those behind one that fails may come again.
   */
  atOnce?: number;
};

export type GroupLag = {
  group: string;
  topic: string;
  partition: number;
  lag: number;
  /** The group's cursor. It does not move while nothing is settled. */
  settled: number;
  /** The offset after the last message that the group confirmed to the bus; null when there is none yet. */
  confirmed: number | null;
  /** The offset of the next message to be published. */
  end: number;
};

/** Messages that `readBack` hands over at once. */
export const readBackAtOnce = 1_000;

export type BusHealth = { ok: true } | { ok: false; reason: string };

/**
 * Throw this (or a subclass) from a handler for a message that can never succeed: it is dead-lettered at
 * once.
 */
export class PoisonMessageError extends Error {
  override name = 'PoisonMessageError';
}

/**
 * Throw this from a handler when the fault is outside the message (database or peer unavailable): the message
 * is retried in place without limit, and never dead-lettered for it.
 */
export class RetryLaterError extends Error {
  override name = 'RetryLaterError';
}

export type Bus = {
  /** Creates missing topics (and their dead-letter topics), and corrects their settings. Idempotent. */
  ensureTopics(topics: readonly string[]): Promise<void>;
  /** Resolves when every message of the batch is durable on the bus, in the order given. */
  publish(batch: readonly BusMessage[]): Promise<void>;
  /** Resolves when the group has joined and will receive. A new group starts at the oldest message. */
  subscribe(subscription: Subscription): Promise<void>;
  /** Messages published and not yet settled by the group, per topic and partition. */
  lag(group: string, topics: readonly string[]): Promise<GroupLag[]>;
  /** Deletes what the group has settled of the topics, for every group. Idempotent. */
  deleteSettled(group: string, topics: readonly string[]): Promise<void>;
  /**
   * Reads each partition of a topic from its end backwards. Joins no group and moves no cursor, so it does not
   * wait for dead members.
   * @param take gets the messages of one partition, oldest first: the newest 1,000, then those before them for
   * as long as it resolves to true
   */
  readBack(topic: string, take: (messages: StoredMessage[]) => Promise<boolean>): Promise<void>;
  health(): Promise<BusHealth>;
  /** Finishes the messages in flight (within `timeoutMs`, default 10,000), leaves the groups, disconnects. */
  close(timeoutMs?: number): Promise<void>;
};
