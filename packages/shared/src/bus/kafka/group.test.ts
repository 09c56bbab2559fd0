import type { Kafka } from 'kafkajs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BusLog } from '../delivery.ts';
import { createBatchWorker } from './batch.ts';
import { superviseGroup } from './group.ts';

// A stand-in for kafkajs: brokers that take connections and answer nothing cannot be had in a second.
type Stub = {
  connected: PromiseWithResolvers<void>;
  /** Resolves when the broker answers the request to join. */
  joining: PromiseWithResolvers<void>;
  isRunning: boolean;
  isDisconnected: boolean;
};

function stubKafka(): { kafka: Kafka; made: Stub[] } {
  const made: Stub[] = [];
  const kafka = {
    consumer() {
      const listeners = new Map<string, () => void>();
      const stub: Stub = {
        connected: Promise.withResolvers<void>(),
        joining: Promise.withResolvers<void>(),
        isRunning: false,
        isDisconnected: false,
      };
      made.push(stub);
      return {
        events: {
          GROUP_JOIN: 'join',
          HEARTBEAT: 'beat',
          FETCH: 'fetch',
          REBALANCING: 'move',
          CRASH: 'crash',
        },
        on: (name: string, listener: () => void) => listeners.set(name, listener),
        connect: () => stub.connected.promise,
        subscribe: async () => {},
        // As in kafkajs, a `disconnect` before it has joined does not end it.
        async run() {
          await stub.joining.promise;
          stub.isRunning = true;
          listeners.get('join')?.();
        },
        async disconnect() {
          stub.isRunning = false;
          stub.isDisconnected = true;
        },
      };
    },
  };
  return { kafka: kafka as unknown as Kafka, made };
}

const silent: BusLog = { debug() {}, info() {}, warn() {}, error() {} };

function supervise(kafka: Kafka) {
  const subscription = { group: 'test.group', topics: ['topic'], handler: async () => {} };
  const worker = createBatchWorker({ subscription, hooks: {}, publishDeadLetter: async () => {} });
  const options = { groupId: 'test.group', sessionTimeoutMs: 8_000, partitionsAtOnce: 6 };
  return superviseGroup({ kafka, subscription, worker, log: silent, ...options });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The first consumer did not connect in time, so the second one runs. */
async function replaced() {
  const { kafka, made } = stubKafka();
  const group = supervise(kafka);
  vi.advanceTimersByTime(100_000);
  await vi.waitFor(() => expect(made).toHaveLength(2), 5_000);
  const [first, second] = made as [Stub, Stub];
  second.connected.resolve();
  second.joining.resolve();
  await group.joined;
  return { group, made, first, second };
}

it('a consumer that connects after it was replaced does not run next to its successor', async () => {
  const { group, first, second } = await replaced();
  first.connected.resolve();
  first.joining.resolve();
  await new Promise(resolve => setTimeout(resolve, 50));
  expect([first.isRunning, first.isDisconnected, second.isRunning]).toEqual([false, true, true]);
  await group.close();
});

it('a consumer that cannot connect after it was replaced does not end its successor', async () => {
  const { group, made, first, second } = await replaced();
  first.connected.reject(new Error('no broker answers'));
  await new Promise(resolve => setTimeout(resolve, 50));
  expect([made.length, second.isRunning]).toEqual([2, true]);
  await group.close();
});

it('a consumer that joins after it was replaced does not run on', async () => {
  const { kafka, made } = stubKafka();
  const group = supervise(kafka);
  made[0]?.connected.resolve();
  await new Promise(resolve => setTimeout(resolve, 50));
  vi.advanceTimersByTime(100_000);
  await vi.waitFor(() => expect(made).toHaveLength(2), 5_000);
  const [first, second] = made as [Stub, Stub];
  second.connected.resolve();
  second.joining.resolve();
  await group.joined;
  first.joining.resolve();
  await new Promise(resolve => setTimeout(resolve, 50));
  expect([first.isRunning, first.isDisconnected, second.isRunning]).toEqual([false, true, true]);
  await group.close();
});
