import { watchGauge } from '../../kernel/index.ts';
import type { Database } from '../../postgres/index.ts';
import { countDead, findWaitingSeconds } from './queries/rows.ts';

/** Reports how long the oldest event has waited for the bus, and how many events were set aside. */
export function watchOutbox(service: string, db: Database): void {
  const attributes = { 'hookline.service': service };
  watchGauge('hookline.outbox.age', async () => [{ value: await findWaitingSeconds(db), attributes }]);
  watchGauge('hookline.outbox.dead', async () => [{ value: await countDead(db), attributes }]);
}
