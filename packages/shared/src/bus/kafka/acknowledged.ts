/**
 * Compares a send with the brokers' acknowledgements.
 *
 * kafkajs 2.2.4 keeps the answers of one send per broker. When a partition moves to a broker that has already
 * answered in an earlier attempt of that send, kafkajs sends it nothing and resolves, although no broker
 * stored the partition's messages.
 */
import { type ICustomPartitioner, type Message, Partitioners, type RecordMetadata } from 'kafkajs';

export type SentTopic = { topic: string; messages: readonly Message[] };

/**
 * kafkajs's default partitioner, called once per message: later attempts of the send reuse the partition,
 * even when the topic has gained partitions. Otherwise a message could move to a partition that was already
 * acknowledged without it. Writes the choice to `message.partition`.
 */
export const createStickyPartitioner: ICustomPartitioner = () => {
  // Never change it: another partitioner would send a key's next message to another partition.
  const choose = Partitioners.DefaultPartitioner();
  return args => {
    args.message.partition ??= choose(args);
    return args.message.partition;
  };
};

/** @throws Error naming the unacknowledged partitions of the send */
export function throwUnlessAcknowledged(
  sent: readonly SentTopic[],
  answers: readonly RecordMetadata[],
): void {
  const acknowledged = new Set(
    answers.filter(({ errorCode }) => errorCode === 0).map(one => `${one.topicName} ${one.partition}`),
  );
  const missing = new Set<string>();
  for (const { topic, messages } of sent) {
    for (const { partition } of messages) {
      const place = `${topic} ${partition ?? 'unknown'}`;
      if (!acknowledged.has(place)) missing.add(place);
    }
  }
  if (missing.size === 0) return;
  throw new Error(`no broker acknowledged the messages of ${[...missing].join(', ')}`);
}
