import { watchGauge } from '../kernel/index.ts';
import type { Database } from '../postgres/index.ts';

/** How long the oldest event has waited for the bus, and how many were set aside for a person. */
export function watchOutbox(service: string, db: Database): void {
  const attributes = { 'hookline.service': service };
  watchGauge('hookline.outbox.age', async () => {
    // From the floor on, so that published events which a snapshot still sees cost nothing.
    const rows = await db.query<{ ageSeconds: number }>(
      `select extract(epoch from now() - created_at)::float8 as "ageSeconds" from outbox
       where id > coalesce((select floor from outbox_floor), 0) order by id limit 1`,
    );
    return [{ value: rows[0]?.ageSeconds ?? 0, attributes }];
  });
  watchGauge('hookline.outbox.dead', async () => {
    const rows = await db.query<{ count: number }>(
      'select count(*) as count from (select from outbox_dead limit 10000) as dead',
    );
    return [{ value: rows[0]?.count ?? 0, attributes }];
  });
}
