/**
 * Reads a topic without a group. kafkajs's consumer always joins one, and a join waits for the members:
 * for a dead one until its session ends, and for the first one as long as the broker's
 * `group.initial.rebalance.delay.ms`, 3 s by default. So this uses the client's own connections and its
 * requests, which it does not export.
 */
import type { Kafka } from 'kafkajs';
import { readBackAtOnce, type StoredMessage } from '../port.ts';
import type { SharedAdmin } from './admin.ts';
import type { WireMessage } from './batch.ts';
import { decodeHeaders } from './headers.ts';

type FetchedMessage = WireMessage & { isControlRecord?: boolean };
type FetchAnswer = {
  responses: readonly { partitions: readonly { messages: readonly FetchedMessage[] }[] }[];
};
type Cluster = {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  findBroker(node: { nodeId: string }): Promise<{ fetch(request: object): Promise<FetchAnswer> }>;
};
type Range = { topic: string; partition: number; from: number; to: number };

const bytesMax = 1_048_576;
const readUncommitted = 0;
/** The broker answers at once, since `minBytes` is 0; kafkajs takes this as the request's time-out. */
const answerWithinMs = 5_000;

export async function readTopicBack(
  kafka: Kafka,
  admin: SharedAdmin,
  topic: string,
  take: (messages: StoredMessage[]) => Promise<boolean>,
): Promise<void> {
  const partitions = await admin.use(client => client.fetchTopicOffsets(topic));
  const cluster = openCluster(kafka);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    for (const { partition, low, high } of partitions) {
      let to = Number(high);
      while (to > Number(low)) {
        const from = Math.max(Number(low), to - readBackAtOnce);
        if (!(await take(await fetchRange(cluster, { topic, partition, from, to })))) break;
        to = from;
      }
    }
  } finally {
    cluster.disconnect().catch(() => {});
  }
}

async function fetchRange(cluster: Cluster, { topic, partition, from, to }: Range): Promise<StoredMessage[]> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) throw new Error(`the topic ${topic} has no partition ${partition}`);
  const broker = await cluster.findBroker({ nodeId });
  const messages: StoredMessage[] = [];
  for (let next = from; next < to; ) {
    const { responses } = await broker.fetch({
      ...{
        replicaId: -1,
        isolationLevel: readUncommitted,
        maxWaitTime: answerWithinMs,
        minBytes: 0,
        maxBytes: bytesMax,
      },
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(next), maxBytes: bytesMax }] }],
    });
    // A broker answers with whole batches, which may begin before the range and end after it.
    const fetched = responses
      .flatMap(one => one.partitions.flatMap(({ messages: all }) => all))
      .filter(({ offset }) => Number(offset) >= next && Number(offset) < to);
    const last = fetched.at(-1);
    if (last === undefined) throw new Error(`${topic}/${partition} has nothing at ${next}, before ${to}`);
    for (const { key, value, headers, offset, isControlRecord } of fetched) {
      if (isControlRecord) continue;
      messages.push({
        ...{ topic, partition, offset },
        ...{ key: key?.toString() ?? '', value: value?.toString() ?? '', headers: decodeHeaders(headers) },
      });
    }
    next = Number(last.offset) + 1;
  }
  return messages;
}

function openCluster(kafka: Kafka): Cluster {
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (name === undefined) throw new Error('this version of kafkajs has no private:Kafka:createCluster');
  const open = (kafka as unknown as Record<symbol, (options: object) => Cluster>)[name];
  return (open as (options: object) => Cluster)({ metadataMaxAge: 300_000, allowAutoTopicCreation: false });
}
