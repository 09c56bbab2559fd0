import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@hookline/shared/contracts';

/**
 * Longer than the end of a schedule takes over the bus, short enough for a caller who is refused after all.
 */
const settlingMaxMs = 1_000;
const pauseMs = 100;

/**
 * Runs work that is refused while a post is in flight. The end of a schedule arrives over the bus, some
 * tenths of a second after its caller could read it, so work refused as `already_sending` is retried for a
 * second.
 * @param work must change nothing if it throws
 */
export async function onceSettled<T>(work: () => Promise<T>): Promise<T> {
  const lastMs = performance.now() + settlingMaxMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayEnd = error instanceof ApiError && error.code === 'already_sending';
      if (!mayEnd || performance.now() + pauseMs > lastMs) throw error;
    }
    await delay(pauseMs);
  }
}
