/** Forms that the `work` of a worker takes. */
import { hourMs, type Logger, pruneBatch } from '../kernel/index.ts';
import type { Worker } from './definition.ts';

/** Everything is done in one run; the next is at a wake-up or after `pollMs`. */
export function onePerPoll(work: () => Promise<unknown>): () => Promise<false> {
  return async () => {
    await work();
    return false;
  };
}

// Pages are a second apart, so that many of them are not many calls at once.
const pagePauseMs = 1_000;

/**
 * A page per poll, from the first to the last; after that the next poll starts over.
 * @param read gets the place to continue at and returns where the next page begins, null after the last. A
 * failure is logged as `complaint`, and the page is read again at the next poll.
 */
export function pageByPage<Cursor>(
  log: Logger,
  read: (after: Cursor | null) => Promise<Cursor | null>,
  complaint: string,
): () => Promise<false | Date> {
  let after: Cursor | null = null;
  return async () => {
    try {
      after = await read(after);
    } catch (error) {
      log.warn({ err: error }, complaint);
      return false;
    }
    return after === null ? false : new Date(Date.now() + pagePauseMs);
  };
}

/**
 * Deletes old rows once an hour, a batch at a time, and none while the clock of the database has jumped: what
 * these rows remember would be done a second time.
 */
export function prune(name: string, deleteSome: () => Promise<number>): Worker {
  const work = async () => (await deleteSome()) === pruneBatch;
  return { name, work, pollMs: hourMs, needsSteadyClock: true };
}
