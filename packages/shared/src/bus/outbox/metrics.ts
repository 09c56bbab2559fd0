import { sharedMetrics, watchGauge } from '../../kernel/index.ts';
import type { Database } from '../../postgres/index.ts';
import { countDead, findWaitingSeconds } from './queries/rows.ts';

/** Reports how long the oldest event has waited for the bus, and the number of events set aside. */
export function watchOutbox(service: string, db: Database): void {
  const attributes = { 'hookline.service': service };
  watchGauge(sharedMetrics.metrics.outboxAge, async () => [
    { value: await findWaitingSeconds(db), attributes },
  ]);
  watchGauge(sharedMetrics.metrics.outboxDead, async () => [{ value: await countDead(db), attributes }]);
}
