import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@hookline/shared/contracts';

/** Longer than the end of a schedule takes over the bus, short enough for a caller who is refused all the same. */
const settlingMaxMs = 1_000;
const pauseMs = 100;

/**
 * Does what a post on its way may forbid. That a schedule has ended is told by the bus, some tenths of a second after
 * its caller could read it; so what is refused as `already_sending` is tried again for a second.
 * @param work leaves nothing behind when it throws
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
