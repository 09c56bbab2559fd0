/** Work on many items at once in which one bad item must not fail the others. */
import { isDatabaseError } from './db.ts';

export type IsolatedFault<T> = { item: T; error: unknown };

/**
 * Does the work for all items at once. When it fails, each half is done separately, down to the single items
 * that fail: n items with one bad one take about 2 log2(n) attempts. The work must be repeatable after a
 * failure (a transaction is). Items keep their order.
 * @returns the result of each attempt that succeeded, and the items that fail alone
 * @throws the error of an attempt that no item caused: see `isOwnFault`. Earlier attempts stay done
 */
export async function isolateFaults<T, R>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<R>,
): Promise<{ results: R[]; faults: IsolatedFault<T>[] }> {
  const [first] = items;
  if (first === undefined) return { results: [], faults: [] };
  try {
    return { results: [await work(items)], faults: [] };
  } catch (error) {
    if (!isOwnFault(error)) throw error;
    if (items.length === 1) return { results: [], faults: [{ item: first, error }] };
  }
  const middle = Math.ceil(items.length / 2);
  const left = await isolateFaults(items.slice(0, middle), work);
  const right = await isolateFaults(items.slice(middle), work);
  return { results: [...left.results, ...right.results], faults: [...left.faults, ...right.faults] };
}

/**
 * True when the data caused the error, so that a retry fails again. Of the database's errors only classes 22
 * (data) and 23 (constraints) do; a lost connection, a time-out, a full disk or a missing privilege affects
 * every item.
 */
export function isOwnFault(error: unknown): boolean {
  if (isDatabaseError(error)) return /^2[23]/.test(error.code ?? '');
  return (
    error instanceof Error &&
    !/time-?out|timed out|terminated|connection|pool|transaction is over/i.test(error.message)
  );
}
