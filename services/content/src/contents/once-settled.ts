import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@hookline/shared/contracts';

/**
 * This is longer than the bus takes to deliver the end of a schedule, and short for a caller who is refused.
 */
const settlingMaxMs = 1_000;
const pauseMs = 100;

/**
 * Repeats work that is refused as `already_sending`, for a second: the end of a schedule arrives over the
 * bus, some tenths of a second after its caller could read it. The work must change nothing if it throws.
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
