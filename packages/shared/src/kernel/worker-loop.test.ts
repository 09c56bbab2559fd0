import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { startWorkerLoop, type WorkerLoop } from './worker-loop.ts';

const log = createLogger({ service: 'test', level: 'fatal' });

describe('startWorkerLoop', () => {
  let loop: WorkerLoop;
  let runs = 0;

  beforeEach(() => {
    vi.useFakeTimers();
    runs = 0;
  });

  afterEach(async () => {
    vi.useRealTimers();
    await loop.stop();
  });

  function start(work: () => Promise<boolean | Date>, concurrency: number): void {
    const counted = (): Promise<boolean | Date> => {
      runs += 1;
      return work();
    };
    loop = startWorkerLoop({ name: 'test', work: counted, pollMs: 1_000, concurrency, log });
  }

  it('works once per poll while there is no work, whatever the concurrency', async () => {
    start(async () => false, 4);
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toBe(4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toBe(14);
  });

  it('works with all of them at a wake-up', async () => {
    start(async () => false, 4);
    await vi.advanceTimersByTimeAsync(100);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toBe(8);
  });

  it('goes on polling while the one that polled last is at work', async () => {
    let held = 0;
    const piece = Promise.withResolvers<boolean>();
    start(async () => {
      // The first polls find nothing; later ones take a lasting piece, until one is left to poll.
      if (runs <= 4 || held === 3) return false;
      held += 1;
      return await piece.promise;
    }, 4);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(held).toBe(3);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs).toBe(12);
    piece.resolve(false);
  });

  it('polls again when the work names a time before the next poll', async () => {
    start(async () => (runs <= 2 ? new Date(Date.now() + 300) : false), 2);
    await vi.advanceTimersByTimeAsync(310);
    expect(runs).toBe(4);
  });
});
