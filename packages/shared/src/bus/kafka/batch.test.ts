import { describe, expect, it, vi } from 'vitest';
import { type BusMessage, type MessageHandler, PoisonMessageError, RetryLaterError } from '../port.ts';
import { type BatchInHand, createBatchWorker, type WireMessage } from './batch.ts';

function wireMessage(
  offset: number,
  value: Buffer | null = Buffer.from(String(offset)),
  key = 'k',
): WireMessage {
  return { offset: String(offset), key: Buffer.from(key), value, headers: { ce_id: Buffer.from('evt_1') } };
}

const ofKey = (offset: number, key: string): WireMessage => wireMessage(offset, undefined, key);

function setUp(handler: MessageHandler, atOnce?: number) {
  const deadLetters: { deadLetter: BusMessage; raw: WireMessage }[] = [];
  const worker = createBatchWorker({
    subscription: { group: 'g', topics: ['t'], handler, ...(atOnce && { atOnce }) },
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
    uncommittedOffsets: () => ({ topics: [] }),
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

  it('commits once a second for all batches of that time, again if refused, and the rest at the stop', async () => {
    const { worker, batchOf, resolved } = setUp(async () => {});
    const commits: number[] = [];
    let isRefused = true;
    const counted: Partial<BatchInHand> = {
      commitOffsetsIfNecessary: async offsets => {
        if (!offsets) return;
        commits.push(resolved.length);
        if (isRefused) throw new Error('NOT_COORDINATOR_FOR_GROUP');
      },
    };
    for (let offset = 1; offset <= 5; offset += 1) await worker.work(batchOf([wireMessage(offset)], counted));
    expect(commits).toEqual([]);
    await vi.waitFor(() => expect(commits).toEqual([5]), { timeout: 3_000 });
    isRefused = false;
    await vi.waitFor(() => expect(commits).toEqual([5, 5]), { timeout: 3_000 });
    const last = worker.work(batchOf([wireMessage(6)], counted));
    await Promise.all([worker.stop(), last]);
    expect(commits).toEqual([5, 5, 6]);
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

describe('createBatchWorker with several at once', () => {
  it('has messages of different keys in the handler together, those of one key one by one', async () => {
    const began: string[] = [];
    const ended: string[] = [];
    const gates = new Map(['1', '2', '3', '4'].map(at => [at, Promise.withResolvers<void>()]));
    const { worker, batchOf, resolved } = setUp(async ({ offset }) => {
      began.push(offset);
      await gates.get(offset)?.promise;
      ended.push(offset);
    }, 8);
    const working = worker.work(batchOf([ofKey(1, 'a'), ofKey(2, 'b'), ofKey(3, 'a'), ofKey(4, 'c')]));
    gates.get('2')?.resolve();
    await vi.waitFor(() => expect(ended).toEqual(['2']));
    // The first still runs: its offset is not passed, and the next of its key has not begun.
    expect([began, resolved]).toEqual([['1', '2'], []]);
    for (const gate of gates.values()) gate.resolve();
    await working;
    expect(began).toEqual(['1', '2', '3', '4']);
    expect(resolved).toEqual(['1', '2', '3', '4']);
  });

  it('takes no more than so many together', async () => {
    let inHand = 0;
    let most = 0;
    const { worker, batchOf, resolved } = setUp(async () => {
      inHand += 1;
      most = Math.max(most, inHand);
      await new Promise(resolve => setImmediate(resolve));
      inHand -= 1;
    }, 3);
    await worker.work(batchOf(Array.from({ length: 10 }, (_, at) => ofKey(at, `key-${at}`))));
    expect([most, resolved.length]).toEqual([3, 10]);
  });

  it('dead-letters one among them alone, after as many attempts as one by itself gets', async () => {
    const attempts: number[] = [];
    const { worker, batchOf, resolved, deadLetters } = setUp(async ({ offset, attempt }) => {
      if (offset !== '2') return;
      attempts.push(attempt);
      if (attempt < 3) throw new RetryLaterError('away');
      throw new PoisonMessageError('bad');
    }, 8);
    await worker.work(batchOf([ofKey(1, 'a'), ofKey(2, 'b'), ofKey(3, 'c')]));
    expect(attempts).toEqual([1, 2, 3]);
    expect(deadLetters.map(({ raw }) => raw.offset)).toEqual(['2']);
    expect(resolved).toEqual(['1', '2', '3']);
  });

  it('passes no message that must wait: it and those behind it come again', async () => {
    let isAway = true;
    const seen: string[] = [];
    const { worker, batchOf, resolved, partition } = setUp(async ({ offset, attempt }) => {
      seen.push(`${offset}.${attempt}`);
      if (offset === '2' && isAway) throw new RetryLaterError('away');
    }, 8);
    await worker.work(batchOf([ofKey(1, 'a'), ofKey(2, 'b'), ofKey(3, 'c')]));
    expect([resolved, partition.isPaused]).toEqual([['1'], true]);
    await vi.waitFor(() => expect(partition.isPaused).toBe(false), { timeout: 3_000 });
    isAway = false;
    const tried = seen.filter(one => one.startsWith('2.')).length;
    seen.length = 0;
    await worker.work(batchOf([ofKey(2, 'b'), ofKey(3, 'c')]));
    expect(seen.toSorted()).toEqual([`2.${tried + 1}`, '3.1']);
    expect(resolved).toEqual(['1', '2', '3']);
  });
});
