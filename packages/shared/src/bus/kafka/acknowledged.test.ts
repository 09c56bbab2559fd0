import { createRequire } from 'node:module';
import type { RecordMetadata } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { createStickyPartitioner, type SentTopic, throwUnlessAcknowledged } from './acknowledged.ts';

type TopicData = { topic: string; partitions: { partition: number; messages: { value: string }[] }[] }[];
type SendMessages = (send: {
  acks: number;
  topicMessages: readonly SentTopic[];
}) => Promise<RecordMetadata[]>;

const require = createRequire(import.meta.url);
const createSendMessages = require('kafkajs/src/producer/sendMessages') as (parts: object) => SendMessages;
const createRetry = require('kafkajs/src/retry') as (options: object) => unknown;
const { KafkaJSProtocolError } = require('kafkajs/src/errors') as {
  KafkaJSProtocolError: new (error: Error) => Error & { type: string; retriable: boolean };
};

const topic = 'orders';

/**
 * kafkajs's own producer loop over two brokers that store in memory. Broker 1 refuses its first request as no
 * longer the leader; `onRefusal` then changes who leads what.
 */
function openCluster(leaders: number[], onRefusal: () => void) {
  const stored = new Map<number, string[]>();
  let hasRefused = false;
  function broker(nodeId: number) {
    return {
      nodeId,
      async produce({ topicData }: { topicData: TopicData }) {
        // Broker 2 answers before broker 1 refuses.
        if (nodeId === 1 && !hasRefused) {
          hasRefused = true;
          await new Promise(resolve => setTimeout(resolve, 20));
          onRefusal();
          throw Object.assign(new KafkaJSProtocolError(new Error('not the leader')), {
            type: 'NOT_LEADER_FOR_PARTITION',
            retriable: true,
          });
        }
        for (const { partitions } of topicData)
          for (const { partition, messages } of partitions)
            stored.set(partition, [...(stored.get(partition) ?? []), ...messages.map(one => one.value)]);
        const topics = topicData.map(({ topic: topicName, partitions }) => ({
          topicName,
          partitions: partitions.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '0' })),
        }));
        return { topics };
      },
    };
  }
  const brokers = new Map([1, 2].map(nodeId => [nodeId, broker(nodeId)]));
  const noop = async (): Promise<void> => {};
  const send = createSendMessages({
    logger: { debug() {}, error() {} },
    cluster: {
      targetTopics: new Set([topic]),
      refreshMetadataIfNecessary: noop,
      refreshMetadata: noop,
      addMultipleTargetTopics: noop,
      isConnected: () => true,
      findTopicPartitionMetadata: () =>
        leaders.map((leader, partitionId) => ({ partitionId, leader, isr: [1, 2], replicas: [1, 2] })),
      findLeaderForPartitions: (_: string, partitions: string[]) =>
        Object.groupBy(partitions.map(Number), partition => leaders[partition] ?? -1),
      findBroker: async ({ nodeId }: { nodeId: string }) => brokers.get(Number(nodeId)),
    },
    partitioner: createStickyPartitioner(),
    eosManager: {
      acquireBrokerLock: noop,
      releaseBrokerLock: noop,
      isTransactional: () => false,
      getSequence: () => 0,
      updateSequence() {},
      getProducerId: () => 1,
      getProducerEpoch: () => 0,
    },
    retrier: createRetry({ retries: 5, initialRetryTime: 1, maxRetryTime: 5, factor: 0, multiplier: 2 }),
  });
  return { send, stored };
}

function batch(): [SentTopic & { messages: { key: string; value: string; partition?: number }[] }] {
  const messages = Array.from({ length: 20 }, (_, n) => ({ key: `key ${n}`, value: String(n) }));
  return [{ topic, messages }];
}

describe('a send whose partition moves while it is in flight', () => {
  it('kafkajs resolves although a partition was stored nowhere, and the comparison throws', async () => {
    const leaders = [1, 2];
    const { send, stored } = openCluster(leaders, () => {
      leaders[0] = 2;
    });
    const sent = batch();
    const answers = await send({ acks: -1, topicMessages: sent });
    const wanted = sent[0].messages.filter(one => one.partition === 0);
    expect(wanted.length).toBeGreaterThan(0);
    // The defect of kafkajs 2.2.4: once this fails, the comparison has nothing left to catch.
    expect(stored.get(0)).toBeUndefined();
    expect(() => throwUnlessAcknowledged(sent, answers)).toThrow('orders 0');
  });

  it('passes when the partition comes back to the broker that refused it', async () => {
    const { send, stored } = openCluster([1, 2], () => {});
    const sent = batch();
    throwUnlessAcknowledged(sent, await send({ acks: -1, topicMessages: sent }));
    expect([...stored.values()].flat()).toHaveLength(20);
  });

  it('keeps each message in the partition of the first attempt when the topic grows in the meantime', async () => {
    const leaders = [1, 2];
    const { send, stored } = openCluster(leaders, () => {
      leaders.push(2);
    });
    const sent = batch();
    throwUnlessAcknowledged(sent, await send({ acks: -1, topicMessages: sent }));
    expect([...stored.keys()].sort()).toEqual([0, 1]);
    expect([...stored.values()].flat()).toHaveLength(20);
  });
});

describe('throwUnlessAcknowledged', () => {
  const answer = (topicName: string, partition: number, errorCode = 0) => ({
    topicName,
    partition,
    errorCode,
  });
  const sent = [
    { topic: 'a', messages: [{ value: '1', partition: 0 }] },
    { topic: 'b', messages: [{ value: '2', partition: 0 }] },
  ];

  it('distinguishes the same partition of two topics, and an error from an acknowledgement', () => {
    expect(() => throwUnlessAcknowledged(sent, [answer('a', 0), answer('b', 0)])).not.toThrow();
    expect(() => throwUnlessAcknowledged(sent, [answer('a', 0)])).toThrow(/messages of b 0$/);
    expect(() => throwUnlessAcknowledged(sent, [answer('a', 0), answer('b', 0, 6)])).toThrow(
      /messages of b 0$/,
    );
  });

  it('throws for a message that no attempt gave a partition', () => {
    expect(() => throwUnlessAcknowledged([{ topic: 'a', messages: [{ value: '1' }] }], [])).toThrow(
      'a unknown',
    );
  });
});
