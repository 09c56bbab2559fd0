import { pruneBatch } from '@hookline/shared/kernel';
import { prunePlatformEvents, pruneWithdrawnAttempts } from '../attempts/queries.ts';
import { pruneConnectStates } from '../connecting/queries.ts';
import type { SchedulingDeps } from '../deps.ts';
import { pruneScheduleRequests } from '../requests/queries.ts';

/** No report about these rows can come any more. @returns true if there may be more. */
export async function pruneOld({
  db,
  now,
  log,
}: Pick<SchedulingDeps, 'db' | 'now' | 'log'>): Promise<boolean> {
  const steps = {
    platformEvents: prunePlatformEvents,
    connectStates: pruneConnectStates,
    requests: pruneScheduleRequests,
    withdrawnAttempts: pruneWithdrawnAttempts,
  };
  const removed: number[] = [];
  for (const [what, prune] of Object.entries(steps)) {
    // A table that cannot be pruned must not block the others.
    removed.push(
      await prune(db, now(), pruneBatch).catch(error => {
        log.error({ err: error, what }, 'old rows could not be removed');
        return 0;
      }),
    );
  }
  return removed.some(count => count === pruneBatch);
}
