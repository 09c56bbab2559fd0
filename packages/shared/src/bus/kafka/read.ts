/**
 * Reads a partition without a group. kafkajs's consumer always joins one, and a join waits for the members:
 * for a dead one until its session ends, and for the first one as long as the broker's
 * `group.initial.rebalance.delay.ms`, 3 s by default. So this uses the client's own connections and its
 * requests, which it does not export.
 */
import type { Kafka } from 'kafkajs';
import type { StoredRange } from '../port.ts';
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
type Place = { topic: string; partition: number; from: number };

const bytesMax = 1_048_576;
const readUncommitted = 0;
/** The broker answers at once, since `minBytes` is 0; kafkajs takes this as the request's time-out. */
const answerWithinMs = 5_000;

export async function readPartition(kafka: Kafka, admin: SharedAdmin, place: Place): Promise<StoredRange> {
  try {
    return await fetchFrom(kafka, place);
  } catch (error) {
    if ((error as { type?: string }).type !== 'OFFSET_OUT_OF_RANGE') throw error;
    const { topic, partition, from } = place;
    const offsets = await admin.use(client => client.fetchTopicOffsets(topic));
    const low = Number(offsets.find(one => one.partition === partition)?.low ?? 0);
    if (low <= from) throw error;
    return await fetchFrom(kafka, { ...place, from: low });
  }
}

async function fetchFrom(kafka: Kafka, { topic, partition, from }: Place): Promise<StoredRange> {
  const cluster = openCluster(kafka);
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
    if (nodeId === undefined) throw new Error(`the topic ${topic} has no partition ${partition}`);
    const broker = await cluster.findBroker({ nodeId });
    const { responses } = await broker.fetch({
      ...{
        replicaId: -1,
        isolationLevel: readUncommitted,
        maxWaitTime: answerWithinMs,
        minBytes: 0,
        maxBytes: bytesMax,
      },
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: bytesMax }] }],
    });
    // A broker answers with whole batches, the first of which may begin earlier.
    const fetched = responses
      .flatMap(({ partitions }) => partitions.flatMap(({ messages }) => messages))
      .filter(({ offset }) => Number(offset) >= from);
    const messages = fetched
      .filter(({ isControlRecord }) => !isControlRecord)
      .map(({ key, value, headers, offset }) => ({
        ...{ topic, partition, offset },
        ...{ key: key?.toString() ?? '', value: value?.toString() ?? '', headers: decodeHeaders(headers) },
      }));
    return { messages, next: Number(fetched.at(-1)?.offset ?? from - 1) + 1 };
  } finally {
    cluster.disconnect().catch(() => {});
  }
}

function openCluster(kafka: Kafka): Cluster {
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (name === undefined) throw new Error('this version of kafkajs has no private:Kafka:createCluster');
  const open = (kafka as unknown as Record<symbol, (options: object) => Cluster>)[name];
  return (open as (options: object) => Cluster)({ metadataMaxAge: 300_000, allowAutoTopicCreation: false });
}
