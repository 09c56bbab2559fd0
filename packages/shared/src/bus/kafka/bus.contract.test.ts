import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { testKafkaBrokers } from '@hookline/infra/test-infra';
import {
  busContract,
  contractTimeout,
  keepIn,
  message,
  patient,
  uniqueName,
} from '@hookline/testing/bus-contract';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Bus, type ReceivedMessage, RetryLaterError } from '../port.ts';
import { createKafkaBus } from './bus.ts';

const log = pino({ level: 'silent' });
const groupSuffix = `.${randomBytes(4).toString('hex')}`;
// The shortest that a broker allows by default: the crash test waits for it.
const sessionTimeoutMs = 6_000;

// Null where Kafka is unavailable; the reason was printed, and under CI it is an error.
const brokers = (await testKafkaBrokers())?.split(',') ?? null;

function openKafkaBus(): Bus {
  if (!brokers) throw new Error('these tests are skipped without Kafka');
  return createKafkaBus({ brokers, clientId: 'hookline-contract', log, groupSuffix, sessionTimeoutMs });
}

describe.skipIf(brokers === null)('with Kafka brokers', contractTimeout, () => {
  busContract('Kafka', async () => ({
    openBus: () => ({ bus: openKafkaBus() }),
    victimBus: { adapter: 'kafka', brokers: brokers ?? [], groupSuffix, sessionTimeoutMs },
    close: async () => {},
  }));

  describe('Kafka', () => {
    let opened: Bus[] = [];

    afterEach(async () => {
      for (const bus of opened) await bus.close(1_000);
      opened = [];
    });

    async function busWithTopic(): Promise<{ bus: Bus; topic: string }> {
      const bus = openKafkaBus();
      opened.push(bus);
      const topic = uniqueName('topic');
      await bus.ensureTopics([topic]);
      return { bus, topic };
    }

    it('an idle producer and consumer start fewer than 100 timers a second', async () => {
      const { bus, topic } = await busWithTopic();
      const received: ReceivedMessage[] = [];
      await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
      await bus.publish([message(topic, 'k', '1')]);
      await vi.waitFor(() => expect(received).toHaveLength(1), patient);
      let timers = 0;
      const hook = createHook({
        init(_id, type) {
          if (type === 'Timeout') timers += 1;
        },
      }).enable();
      await new Promise(resolve => setTimeout(resolve, 2_000));
      hook.disable();
      // Unpatched, kafkajs runs thousands.
      expect(timers / 2).toBeLessThan(100);
    });

    it('a partition whose message must wait does not stop the others', async () => {
      const { bus, topic } = await busWithTopic();
      const settled: ReceivedMessage[] = [];
      let waitingPartition = -1;
      let isAway = true;
      await bus.subscribe({
        group: uniqueName('group'),
        topics: [topic],
        handler: async one => {
          if (one.key === 'waiting') waitingPartition = one.partition;
          if (one.key === 'waiting' && isAway) throw new RetryLaterError('away');
          settled.push(one);
        },
      });
      await bus.publish([message(topic, 'waiting', '1')]);
      await vi.waitFor(() => expect(waitingPartition).toBeGreaterThanOrEqual(0), patient);
      for (let round = 0; round < 3; round += 1) {
        await bus.publish(Array.from({ length: 30 }, (_, n) => message(topic, `free ${n}`, String(round))));
      }
      const elsewhere = () => settled.filter(one => one.partition !== waitingPartition).length;
      // With six partitions, 15 of 30 keys in one of them would mean a broken partitioner.
      await vi.waitFor(() => expect(elsewhere()).toBeGreaterThan(45), patient);
      isAway = false;
      await vi.waitFor(() => expect(settled).toHaveLength(91), patient);
    });

    it('a batch that the broker refuses fails as such at once, and the next one goes through', async () => {
      const { bus, topic } = await busWithTopic();
      const tooLarge = bus.publish([message(topic, 'k', 'x'.repeat(2_000_000))]);
      await expect(tooLarge).rejects.not.toBeInstanceOf(RetryLaterError);
      await bus.publish([message(topic, 'k', 'fits')]);
      const received: ReceivedMessage[] = [];
      await bus.subscribe({ group: uniqueName('group'), topics: [topic], handler: keepIn(received) });
      await vi.waitFor(() => expect(received.map(one => one.value)).toEqual(['fits']), patient);
    });

    it('a broker that is not there makes publish fail with RetryLaterError and health say so', async () => {
      const bus = createKafkaBus({ brokers: ['127.0.0.1:1'], clientId: 'hookline-contract', log });
      opened.push(bus);
      expect(await bus.health()).toMatchObject({ ok: false });
      await expect(bus.publish([message('any', 'k', '1')])).rejects.toBeInstanceOf(RetryLaterError);
    });

    it('work longer than the session time-out keeps its partition and is not repeated', async () => {
      const { bus, topic } = await busWithTopic();
      const attempts: string[] = [];
      const settled: string[] = [];
      await bus.subscribe({
        group: uniqueName('group'),
        topics: [topic],
        handler: async ({ value }) => {
          attempts.push(value);
          if (value === 'long') await new Promise(resolve => setTimeout(resolve, sessionTimeoutMs + 2_000));
          settled.push(value);
        },
      });
      await bus.publish(['long', 'next'].map(value => message(topic, 'k', value)));
      await vi.waitFor(() => expect(settled).toEqual(['long', 'next']), patient);
      expect(attempts).toEqual(['long', 'next']);
    });
  });
});
