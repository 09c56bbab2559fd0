import type { Database } from '@hookline/shared/db';
import { watchGauge } from '@hookline/shared/gauges';
import { createDurationMetric } from '@hookline/shared/metrics';
import { type Writer, WritingRefused } from '@hookline/writer';
import { countReserved, findLedgerDrift, findPermitAgeSeconds, type LedgerDrift } from './queries/watched.ts';

const recordGeneration = createDurationMetric('hookline.content.generation.duration');
const recordWriting = createDurationMetric('hookline.content.writing.duration');

type Made = { status: 'ready' } | { status: 'failed'; errorCode: string };

/** The same generation, its duration told with what became of it. */
export async function measureGeneration<T extends Made>(
  isDrawn: boolean,
  make: () => Promise<T>,
): Promise<T> {
  const beganMs = performance.now();
  let outcome = 'refused';
  let failure: string | undefined;
  try {
    const made = await make();
    outcome = made.status;
    if (made.status === 'failed') failure = made.errorCode;
    return made;
  } catch (error) {
    failure = (error as Error).name;
    throw error;
  } finally {
    recordGeneration(performance.now() - beganMs, {
      'hookline.content.outcome': outcome,
      'hookline.content.drawn': String(isDrawn),
      'error.type': failure,
    });
  }
}

/** The same writer, the duration of its decks told under its name. */
export function measureWriter(name: 'composer' | 'llm', writer: Writer): Writer {
  return {
    async write(request) {
      const beganMs = performance.now();
      let failure: string | undefined;
      try {
        return await writer.write(request);
      } catch (error) {
        failure = error instanceof WritingRefused ? error.code : (error as Error).name;
        throw error;
      } finally {
        recordWriting(performance.now() - beganMs, { 'hookline.writer': name, 'error.type': failure });
      }
    },
  };
}

const driftEveryMs = 60_000;
// A look at all rows of a large ledger may take seconds: it rests so many times longer.
const driftRest = 100;

/** The oldest right to send that no schedule has given back. */
export function watchPermits(db: Database): void {
  watchGauge('hookline.permits.age', async () => [{ value: await findPermitAgeSeconds(db) }]);
}

/** Credits set aside, and whether the ledger agrees with balances and contents. */
export function watchCredits(db: Database): void {
  watchGauge('hookline.credits.reserved', async () => [{ value: await countReserved(db) }]);
  let drift: LedgerDrift | undefined;
  let nextLookMs = 0;
  watchGauge('hookline.ledger.drift', async () => {
    const beganMs = performance.now();
    if (drift === undefined || beganMs >= nextLookMs) {
      drift = await findLedgerDrift(db);
      const endedMs = performance.now();
      nextLookMs = endedMs + Math.max(driftEveryMs, (endedMs - beganMs) * driftRest);
    }
    return [
      { value: drift.balances, attributes: { 'hookline.ledger.check': 'balances' } },
      { value: drift.charges, attributes: { 'hookline.ledger.check': 'charges' } },
    ];
  });
}
