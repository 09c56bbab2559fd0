/**
 * Publishes like the outbox relays: a batch is repeated until `publish` resolves, and only then comes the
 * next.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Bus } from '@hookline/shared/bus';
import type { Recorder } from '../../kit/run/history.ts';
import { type BrokersLine, keyOf } from './history.ts';

export type Publishers = {
  /** Number of messages acknowledged so far. */
  acknowledged(): number;
  /** Resolves when the batches in flight are acknowledged. */
  stop(): Promise<void>;
};

/** Waits like a relay that lost its connection. */
const againAfterMs = 300;

export function startPublishers(
  buses: readonly Bus[],
  topics: readonly string[],
  { batchSize, gapMs }: { batchSize: number; gapMs: number },
  recorder: Recorder<BrokersLine>,
): Publishers {
  let acknowledged = 0;
  let isOver = false;

  async function publishOn(bus: Bus, publisher: number): Promise<void> {
    for (let from = 0; !isOver; from += batchSize) {
      const batch = Array.from({ length: batchSize }, (_, at) => {
        const key = keyOf(publisher, from + at);
        // All messages of a key go to one topic.
        const topic = topics[(from + at) % topics.length] as string;
        return { topic, key, value: `${publisher} ${from + at}`, headers: {} };
      });
      recorder.write({ kind: 'sending', publisher, from, count: batchSize });
      await untilAcknowledged(() => bus.publish(batch), publisher, from);
      recorder.write({ kind: 'acknowledged', publisher, from, count: batchSize });
      acknowledged += batchSize;
      await wait(gapMs);
    }
  }

  async function untilAcknowledged(publish: () => Promise<void>, publisher: number, from: number) {
    for (;;) {
      try {
        return await publish();
      } catch (error) {
        const { message, cause } = error as Error;
        recorder.write({ kind: 'refused', publisher, from, why: `${message}: ${(cause as Error)?.message}` });
        await wait(againAfterMs);
      }
    }
  }

  const running = buses.map((bus, publisher) => publishOn(bus, publisher));
  return {
    acknowledged: () => acknowledged,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
