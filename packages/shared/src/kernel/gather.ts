/** Group commit: combines many small writes into a few large ones, without delaying any. */

/**
 * Gathers calls into batches: calls that arrive while a batch runs form the next one. A single call starts in
 * the same turn of the event loop, so nothing waits when idle.
 *
 * When a batch of several fails, each of its items is retried alone, so that one bad item does not fail the
 * others: the work must be repeatable after a failure (a transaction is).
 * @param work returns one result per item, in order
 * @param countMax largest batch
 * @param isShared true for an error that every item would hit alone (a server is down): all of them fail
 * with it
 */
export function createGatherer<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  countMax: number,
  isShared: (error: unknown) => boolean = () => false,
): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    // Calls of this turn form one batch.
    await new Promise(resolve => setImmediate(resolve));
    while (waiting.length > 0) await settle(waiting.splice(0, countMax));
    isRunning = false;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => {
        resolve(results[at] as R);
      });
    } catch (error) {
      if (batch.length > 1 && !isShared(error)) {
        await Promise.all(batch.map(one => settle([one])));
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}
