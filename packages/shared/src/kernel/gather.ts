/** Many small writes as few large ones, without waiting for company: group commit. */

/**
 * Gathers calls into batches: what comes while a batch is under way goes together into the next one. A call alone
 * starts in the same turn of the event loop, so that nothing waits when nothing is to be done.
 *
 * When a batch of several fails, each of its items is tried once more alone, so that one bad item does not fail its
 * neighbours: the work must be repeatable after a failure (a transaction is).
 * @param work answers one result per item, in their order.
 * @param countMax most items of a batch.
 * @param isEverybodys true for an error that no item would escape alone (a server is away): all of them fail with it.
 */
export function createGatherer<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  countMax: number,
  isEverybodys: (error: unknown) => boolean = () => false,
): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    // Calls of this turn go together.
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
      if (batch.length > 1 && !isEverybodys(error)) {
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
