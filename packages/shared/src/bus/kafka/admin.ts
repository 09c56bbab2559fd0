import { setTimeout as wait } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import type { GroupLag } from '../port.ts';

export type SharedAdmin = {
  use<T>(task: (client: Admin) => Promise<T>): Promise<T>;
  /**
   * Like `use`, repeated for at most `maxMs` while the brokers have not agreed on a new topic, a leader or a
   * group's coordinator. Any other error is thrown at once.
   */
  useSettled<T>(maxMs: number, task: (client: Admin) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const settlePauseMs = 100;

export function createAdmin(kafka: Kafka): SharedAdmin {
  let admin: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const made = kafka.admin({ retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 500 } });
    await made.connect();
    return made;
  }

  async function use<T>(task: (client: Admin) => Promise<T>): Promise<T> {
    admin ??= connect();
    const current = admin;
    try {
      return await task(await current);
    } catch (error) {
      if (admin === current) admin = undefined;
      current.then(made => made.disconnect()).catch(() => {});
      throw error;
    }
  }

  return {
    use,
    async useSettled(maxMs, task) {
      const untilMs = performance.now() + maxMs;
      for (;;) {
        try {
          return await use(task);
        } catch (error) {
          if (!isUnsettled(error) || performance.now() > untilMs) throw error;
        }
        await wait(settlePauseMs);
      }
    },
    async close() {
      const last = await admin?.catch(() => undefined);
      await last?.disconnect();
    },
  };
}

/** Answers of a broker that has not heard from the controller, and the kafkajs errors for them. */
const unsettledTypes = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'TOPIC_ALREADY_EXISTS',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'REPLICA_NOT_AVAILABLE',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'NOT_CONTROLLER',
  'INVALID_REPLICATION_FACTOR',
  'REQUEST_TIMED_OUT',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
]);
const unsettledNames = new Set([
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTopicMetadataNotLoaded',
  'KafkaJSBrokerNotFound',
  'KafkaJSGroupCoordinatorNotFound',
]);

function isUnsettled(error: unknown): boolean {
  const { type, name, errors, cause } = error as {
    type?: string;
    name?: string;
    errors?: unknown[];
    cause?: unknown;
  };
  if (errors !== undefined) return errors.every(isUnsettled);
  if (type !== undefined) return unsettledTypes.has(type);
  return unsettledNames.has(name ?? '') || (cause instanceof Error && isUnsettled(cause));
}

export async function readLag(
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
      const committedTo = BigInt(offsets.get(partition) ?? -1);
      // -1: the group has not committed yet and will start at the oldest message.
      const settled = committedTo < BigInt(low) ? BigInt(low) : committedTo;
      lags.push({
        ...{ group, topic, partition, lag: Number(BigInt(high) - settled), settled: Number(settled) },
        confirmed: committedTo < 0n ? null : Number(committedTo),
        end: Number(high),
      });
    }
  }
  return lags;
}

/** Deletes the messages before the group's committed offsets. */
export async function deleteSettled(
  client: Admin,
  group: string,
  groupSuffix: string,
  topics: readonly string[],
): Promise<void> {
  // Reading the lag also loads the topics' leaders, which kafkajs does not do for the deletion.
  const lags = await readLag(client, group, groupSuffix, topics);
  for (const topic of topics) {
    const partitions = lags
      // Beyond the end if the topic was created again: the offset is that of the lost topic.
      .filter(one => one.topic === topic && one.confirmed !== null && one.confirmed <= one.end)
      .map(({ partition, settled }) => ({ partition, offset: String(settled) }));
    if (partitions.length === 0) continue;
    await client.deleteTopicRecords({ topic, partitions }).catch(error => {
      // The error of the first partition: the error that wraps them gives no reason.
      throw error.partitions?.[0]?.error ?? error;
    });
  }
}
