import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';
import { startWorkerLoop, type WorkerLoop } from './worker-loop.ts';

const log = createLogger({ service: 'test', level: 'fatal' });

describe('startWorkerLoop', () => {
  let loop: WorkerLoop;
  let looks = 0;

  beforeEach(() => {
    vi.useFakeTimers();
    looks = 0;
  });

  afterEach(async () => {
    vi.useRealTimers();
    await loop.stop();
  });

  function start(work: () => Promise<boolean | Date>, concurrency: number): void {
    const counted = (): Promise<boolean | Date> => {
      looks += 1;
      return work();
    };
    loop = startWorkerLoop({ name: 'test', work: counted, pollMs: 1_000, concurrency, log });
  }

  it('looks once per poll while there is no work, whatever the concurrency', async () => {
    start(async () => false, 4);
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toBe(14);
  });

  it('looks with all of them at a wake-up', async () => {
    start(async () => false, 4);
    await vi.advanceTimersByTimeAsync(100);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(8);
  });

  it('goes on looking while the one that looked last is at work', async () => {
    let held = 0;
    const piece = Promise.withResolvers<boolean>();
    start(async () => {
      // The first polls find nothing; later ones take a lasting piece, until one is left to poll.
      if (looks <= 4 || held === 3) return false;
      held += 1;
      return await piece.promise;
    }, 4);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(held).toBe(3);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(12);
    piece.resolve(false);
  });

  it('looks again when the work names a time before the next poll', async () => {
    start(async () => (looks <= 2 ? new Date(Date.now() + 300) : false), 2);
    await vi.advanceTimersByTimeAsync(310);
    expect(looks).toBe(4);
  });
});
