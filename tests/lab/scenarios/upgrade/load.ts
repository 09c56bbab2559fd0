/** Work at a fixed rate, however slow the answers: measures the slowest from its due time. */

const perSecond = 100;

export type Load = {
  /** Ends it. @throws Error when a call failed, or fewer than `leastCalls` were made */
  stop(): Promise<{ calls: number; slowestMs: number }>;
};

const leastCalls = 50;

/** @param call the nth piece of work, 100 of them per second */
export function startLoad(call: (nth: number) => Promise<unknown>): Load {
  const began = performance.now();
  const open = new Set<Promise<void>>();
  const failures: string[] = [];
  let calls = 0;
  let slowestMs = 0;
  // Several at once where the timer was late, each measured from its own due time.
  const timer = setInterval(() => {
    while (began + calls * (1_000 / perSecond) <= performance.now()) {
      const dueAt = began + calls * (1_000 / perSecond);
      const one = call(calls)
        .then(
          () => {
            slowestMs = Math.max(slowestMs, performance.now() - dueAt);
          },
          (error: Error) => void failures.push(error.message),
        )
        .finally(() => open.delete(one));
      open.add(one);
      calls += 1;
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      if (failures.length > 0) throw new Error(`${failures.length} calls failed: ${failures[0]}`);
      if (calls < leastCalls) throw new Error(`only ${calls} calls were made`);
      return { calls, slowestMs };
    },
  };
}
