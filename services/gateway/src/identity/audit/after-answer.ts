import type { Logger } from '@hookline/shared/kernel';

/** Work that no answer waits for, because its duration would leak information. */
export type AfterAnswer = {
  /** Begins it once the answer had its turn. A failure is logged. */
  run(work: () => Promise<void>): void;
  /** Resolves when all of it has ended. */
  drain(): Promise<void>;
};

export function createAfterAnswer(log: Logger): AfterAnswer {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const done = new Promise<void>(resolve => setImmediate(resolve))
        .then(work)
        .catch(error => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    async drain() {
      await Promise.all(running);
    },
  };
}
