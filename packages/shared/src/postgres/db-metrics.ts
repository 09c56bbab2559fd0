import { watchGauge } from '../kernel/index.ts';

/** What a pool tells of itself; `pg.Pool` is one. */
type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** How full the pool is, and how many wait for it. */
export function watchPool(pool: PoolCounts, name: string, connectionsMax: number): void {
  const attributes = { 'db.client.connection.pool.name': name };
  watchGauge('db.client.connection.count', () => [
    { value: pool.idleCount, attributes: { ...attributes, 'db.client.connection.state': 'idle' } },
    {
      value: pool.totalCount - pool.idleCount,
      attributes: { ...attributes, 'db.client.connection.state': 'used' },
    },
  ]);
  watchGauge('db.client.connection.max', () => [{ value: connectionsMax, attributes }]);
  watchGauge('db.client.connection.pending_requests', () => [{ value: pool.waitingCount, attributes }]);
}
