import { describe, expect, it, vi } from 'vitest';
import { type BusMessage, type MessageHandler, RetryLaterError } from '../port.ts';
import { type BatchInHand, createBatchWorker, type WireMessage } from './batch.ts';

function wireMessage(offset: number, value: Buffer | null = Buffer.from(String(offset))): WireMessage {
  return { offset: String(offset), key: Buffer.from('k'), value, headers: { ce_id: Buffer.from('evt_1') } };
}

function setUp(handler: MessageHandler) {
  const deadLetters: { deadLetter: BusMessage; raw: WireMessage }[] = [];
  const worker = createBatchWorker({
    subscription: { group: 'g', topics: ['t'], handler },
    hooks: {},
    publishDeadLetter: async (deadLetter, raw) => {
      deadLetters.push({ deadLetter, raw });
    },
  });
  const resolved: string[] = [];
  const partition = { isPaused: false };
  const batchOf = (messages: WireMessage[], change: Partial<BatchInHand> = {}): BatchInHand => ({
    batch: { topic: 't', partition: 0, messages },
    resolveOffset: offset => resolved.push(offset),
    heartbeat: async () => {},
    commitOffsetsIfNecessary: async () => {},
    isRunning: () => true,
    isStale: () => false,
    pause() {
      partition.isPaused = true;
      return () => {
        partition.isPaused = false;
      };
    },
    ...change,
  });
  return { worker, batchOf, resolved, deadLetters, partition };
}

describe('createBatchWorker', () => {
  it.each([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe])],
    ['no value', null],
  ])('dead-letters %s unchanged, without asking the handler', async (_, value) => {
    const seen: string[] = [];
    const { worker, batchOf, resolved, deadLetters } = setUp(async message => {
      seen.push(message.value);
    });
    await worker.work(batchOf([wireMessage(1, value), wireMessage(2)]));
    expect(deadLetters.map(({ raw }) => raw.value)).toEqual([value]);
    expect(deadLetters[0]?.deadLetter.headers).toMatchObject({ ce_id: 'evt_1', dlq_offset: '1' });
    expect([seen, resolved]).toEqual([['2'], ['1', '2']]);
  });

  it('does not resolve an offset after the group was joined again', async () => {
    const { worker, batchOf, resolved } = setUp(async ({ offset }) => {
      if (offset === '2') worker.noteJoined();
    });
    await worker.work(batchOf([1, 2, 3].map(offset => wireMessage(offset))));
    expect(resolved).toEqual(['1']);
  });

  it('sets a partition aside whose message must wait long, and resumes it', async () => {
    let isAway = true;
    const attempts: number[] = [];
    const { worker, batchOf, resolved, partition } = setUp(async ({ attempt }) => {
      attempts.push(attempt);
      if (isAway) throw new RetryLaterError('away');
    });
    await worker.work(batchOf([wireMessage(1), wireMessage(2)]));
    expect([resolved, partition.isPaused]).toEqual([[], true]);
    await vi.waitFor(() => expect(partition.isPaused).toBe(false), { timeout: 3_000 });
    isAway = false;
    const before = attempts.length;
    await worker.work(batchOf([wireMessage(1), wireMessage(2)]));
    expect(resolved).toEqual(['1', '2']);
    // The message keeps its count across the wait; the next starts at one.
    expect(attempts.slice(before)).toEqual([before + 1, 1]);
  });

  it('stop waits for the message in flight and leaves the rest of the batch', async () => {
    const gate = Promise.withResolvers<void>();
    const { worker, batchOf, resolved } = setUp(() => gate.promise);
    const working = worker.work(batchOf([wireMessage(1), wireMessage(2)]));
    const stopped = worker.stop();
    gate.resolve();
    await Promise.all([stopped, working]);
    expect(resolved).toEqual(['1']);
  });

  it("a lost heartbeat ends the batch with the client's own error, behind the settled message", async () => {
    const rebalancing = new Error('REBALANCE_IN_PROGRESS');
    const { worker, batchOf, resolved } = setUp(async () => {});
    const heartbeat = async (): Promise<void> => {
      throw rebalancing;
    };
    await expect(worker.work(batchOf([wireMessage(1), wireMessage(2)], { heartbeat }))).rejects.toBe(
      rebalancing,
    );
    expect(resolved).toEqual(['1']);
  });
});
