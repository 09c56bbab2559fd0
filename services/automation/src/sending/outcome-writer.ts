/**
 * Writes the outcomes of attempts. Successes share statements: those that arrive during a write go with the
 * next one. The failures of their endpoints are cleared separately and may be cleared later. An outcome is
 * retried until the database accepts it; until then its delivery stays claimed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@hookline/shared/kernel';
import type { SuccessRecord } from '../deliveries/record.ts';

export type OutcomeWriter = {
  /** Resolves once it is written, or given up because the writer was stopped. Never rejects. */
  delivered(record: SuccessRecord): Promise<void>;
  failed(write: () => Promise<void>): Promise<void>;
  stop(): void;
};

export type OutcomeWriterOptions = {
  writeDelivered: (records: readonly SuccessRecord[]) => Promise<void>;
  clearFailures: (webhookIds: readonly string[]) => Promise<void>;
  log: Logger;
};

// The pool has ten connections; the others are for claims, leases and routes.
const failuresAtOnceMax = 3;
const batchMax = 200;
const retryMs = 250;
const notWritten = 'the outcome of an attempt was not written';

type Waiting<T> = { work: T; done: () => void };

export function createOutcomeWriter({
  writeDelivered,
  clearFailures,
  log,
}: OutcomeWriterOptions): OutcomeWriter {
  const successes: Waiting<SuccessRecord>[] = [];
  const failures: Waiting<() => Promise<void>>[] = [];
  const healthy = new Set<string>();
  let isWriting = false;
  let isClearing = false;
  let failuresInFlight = 0;
  let isStopped = false;

  async function insist(write: () => Promise<void>, complaint: string): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        log.warn({ err: error }, complaint);
        if (isStopped) return;
        await delay(retryMs);
      }
    }
  }

  async function writeSuccesses(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (successes.length > 0) {
      const batch = successes.splice(0, batchMax);
      await insist(() => writeDelivered(batch.map(({ work }) => work)), notWritten);
      for (const { work, done } of batch) {
        healthy.add(work.webhookId);
        done();
      }
      void clearHealthy();
    }
    isWriting = false;
  }

  async function clearHealthy(): Promise<void> {
    if (isClearing) return;
    isClearing = true;
    while (healthy.size > 0) {
      const ids = [...healthy];
      healthy.clear();
      await insist(() => clearFailures(ids), 'the failures of endpoints were not cleared');
    }
    isClearing = false;
  }

  async function writeFailures(): Promise<void> {
    if (failuresInFlight >= failuresAtOnceMax) return;
    failuresInFlight += 1;
    for (let next = failures.shift(); next; next = failures.shift()) {
      await insist(next.work, notWritten);
      next.done();
    }
    failuresInFlight -= 1;
  }

  return {
    delivered(record) {
      return new Promise(done => {
        successes.push({ work: record, done });
        void writeSuccesses();
      });
    },
    failed(write) {
      return new Promise(done => {
        failures.push({ work: write, done });
        void writeFailures();
      });
    },
    stop() {
      isStopped = true;
    },
  };
}
