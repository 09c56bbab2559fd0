import { createDurationMetric, watchGauge } from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { type Writer, WritingRefused } from '@hookline/writer';
import { type AccountDrift, countReserved, findLedgerDrift, findPermitAgeSeconds } from './queries/gauges.ts';

const recordGeneration = createDurationMetric('hookline.content.generation.duration');
const recordWriting = createDurationMetric('hookline.content.writing.duration');

type Made = { status: 'ready' } | { status: 'failed'; errorCode: string };

/** Runs a generation and records its duration with its outcome. */
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

/** The same writer; the duration of each deck is recorded under its name. */
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
// Most accounts known to differ that every look checks again.
const suspectsMax = 100;

/** Registers the gauges that read tables. */
export function watchGauges({ db }: { db: Database }): void {
  watchCredits(db);
  watchPermits(db);
}

/** The age of the oldest send permit that is still open. */
function watchPermits(db: Database): void {
  watchGauge('hookline.permits.age', async () => [{ value: await findPermitAgeSeconds(db) }]);
}

/** Credits set aside, and by how much the ledger differs from balances and contents. */
function watchCredits(db: Database): void {
  watchGauge('hookline.credits.reserved', async () => [{ value: await countReserved(db) }]);
  let drifting: AccountDrift[] | undefined;
  let sweptTo = '';
  let nextLookMs = 0;
  watchGauge('hookline.ledger.drift', async () => {
    if (performance.now() >= nextLookMs) {
      const suspects = (drifting ?? []).slice(0, suspectsMax).map(account => account.accountId);
      try {
        ({ drifting, sweptTo } = await findLedgerDrift(db, { sweptTo, suspects }));
      } finally {
        // Also after a failure: a database that is too slow must not be queried by every scrape.
        nextLookMs = performance.now() + driftEveryMs;
      }
    }
    if (drifting === undefined) return [];
    return (['balances', 'charges'] as const).map(check => ({
      value: (drifting ?? []).reduce((sum, account) => sum + account[check], 0),
      attributes: { 'hookline.ledger.check': check },
    }));
  });
}
