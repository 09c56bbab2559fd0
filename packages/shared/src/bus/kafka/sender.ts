import type { Kafka, Producer } from 'kafkajs';
import { within } from '../../kernel/index.ts';
import { type BusMessage, RetryLaterError } from '../port.ts';
import { createStickyPartitioner, throwUnlessAcknowledged } from './acknowledged.ts';

/**
 * Longest time that one send is retried. All of its attempts can wait on the connection to a host that vanished; the
 * outbox keeps its rows and sends them again over a new one.
 */
const sendMaxMs = 40_000;
/** About 20 s of immediate refusals; attempts that time out (10 s each) reach `sendMaxMs` first. */
const retriesMax = 12;

export type Outgoing = Omit<BusMessage, 'key' | 'value'> & {
  key: string | Buffer | null;
  value: string | Buffer | null;
};

export type Sender = {
  /**
   * Resolves when all in-sync replicas have acknowledged every message.
   * @throws RetryLaterError when that takes longer than 40 s: all, some or none of the batch may be
   * stored
   * @throws Error when the broker refuses the batch for its contents
   */
  send(batch: readonly Outgoing[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Runs one send at a time, and creates a new producer after a failed one. kafkajs reuses the sequence numbers
 * of a failed send for the next one, and a broker that had stored the first would drop the second as a
 * duplicate.
 */
export function createSender(kafka: Kafka): Sender {
  let producer: Promise<Producer> | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<Producer> {
    const made = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createStickyPartitioner,
      retry: { retries: retriesMax, initialRetryTime: 200, maxRetryTime: 2_000 },
    });
    await made.connect();
    return made;
  }

  function drop(): void {
    const last = producer;
    producer = undefined;
    last?.then(made => made.disconnect()).catch(() => {});
  }

  async function sendNow(batch: readonly Outgoing[]): Promise<void> {
    producer ??= connect();
    try {
      const topicMessages = [...Map.groupBy(batch, message => message.topic)].map(([topic, messages]) => ({
        topic,
        messages: messages.map(({ key, value, headers }) => ({ key, value, headers: { ...headers } })),
      }));
      const made = await producer;
      const sending = made.sendBatch({ topicMessages, acks: -1 });
      const answers = await within(sendMaxMs, sending, 'Kafka did not acknowledge').catch(error => {
        // An abandoned send would reconnect its producer at its next attempt.
        sending.catch(() => {}).then(() => made.disconnect().catch(() => {}));
        throw error;
      });
      throwUnlessAcknowledged(topicMessages, answers);
    } catch (error) {
      drop();
      if (isRefusedMessage(error)) throw error;
      throw new RetryLaterError('Kafka does not take messages now', { cause: error });
    }
  }

  return {
    send(batch) {
      const sent = previous.then(() => sendNow(batch));
      previous = sent.catch(() => {});
      return sent;
    },
    async close() {
      await previous;
      const last = await producer?.catch(() => undefined);
      await last?.disconnect();
    },
  };
}

/** True when the broker refuses the batch for its contents; everything else is a transport fault. */
function isRefusedMessage(error: unknown): boolean {
  const { type, cause } = error as { type?: string; cause?: unknown };
  if (type !== undefined)
    return ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'].includes(type);
  return cause instanceof Error && isRefusedMessage(cause);
}
