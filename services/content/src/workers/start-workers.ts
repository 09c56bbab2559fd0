import { startWorkerLoop } from '@hookline/shared/kernel';
import { openWakeUp, pruneKeys } from '@hookline/shared/postgres';
import type { Consumer } from '@hookline/shared/service';
import { generateQueued } from '../actions/generate-queued.ts';
import { releaseDeadReservations } from '../actions/release-dead-reservations.ts';
import { consumers } from '../consumers/registry.ts';
import { watchCredits, watchPermits } from '../content-metrics.ts';
import type { ContentDeps, ContentRuntime } from '../deps.ts';
import { pruneDailyGenerations } from '../queries/credits.ts';
import { utcDay } from '../rules/day.ts';

const tidyEveryMs = 15_000;
const pruneEveryMs = 3_600_000;
// A reservation names its day for a minute; a week leaves time to look at what happened.
const dayKeptMs = 7 * 24 * 3_600_000;

export async function startWorkers(runtime: ContentRuntime, deps: ContentDeps): Promise<readonly Consumer[]> {
  const { db, log, shutdown } = runtime;
  const generator = startWorkerLoop({
    name: 'generate-queued',
    work: () => generateQueued(deps),
    pollMs: 2_000,
    concurrency: 2,
    log,
  });
  const wakeUp = openWakeUp(db.connectionString, 'hookline content wake-up', ['content_queued'], log);
  wakeUp.on('content_queued', generator.wake);
  const tidier = startWorkerLoop({
    name: 'tidy',
    work: async () => {
      await releaseDeadReservations(deps);
      return false;
    },
    pollMs: tidyEveryMs,
    log,
  });
  const pruner = startWorkerLoop({
    name: 'prune-old',
    work: async () =>
      (await pruneDailyGenerations(db, utcDay(new Date(deps.now().getTime() - dayKeptMs)))) === 1_000,
    pollMs: pruneEveryMs,
    log,
  });
  const keyPruner = startWorkerLoop({
    name: 'prune-keys',
    work: async () => (await pruneKeys(db, deps.now())) === 1_000,
    pollMs: tidyEveryMs,
    log,
  });
  shutdown.add('workers', 'content workers', async () => {
    await Promise.all([generator.stop(), tidier.stop(), pruner.stop(), keyPruner.stop(), wakeUp.close()]);
  });
  watchCredits(db);
  watchPermits(db);
  return consumers(deps);
}
