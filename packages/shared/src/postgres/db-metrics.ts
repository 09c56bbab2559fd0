import { sharedMetrics, watchGauge } from '../kernel/index.ts';

/** The counts of a pool, such as `pg.Pool`. */
type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };

/** Reports the connections of a pool and the requests that wait for one. */
export function watchPool(pool: PoolCounts, name: string, connectionsMax: number): void {
  const attributes = { 'db.client.connection.pool.name': name };
  watchGauge(sharedMetrics.metrics.connections, () => [
    { value: pool.idleCount, attributes: { ...attributes, 'db.client.connection.state': 'idle' } },
    {
      value: pool.totalCount - pool.idleCount,
      attributes: { ...attributes, 'db.client.connection.state': 'used' },
    },
  ]);
  watchGauge(sharedMetrics.metrics.connectionsMax, () => [{ value: connectionsMax, attributes }]);
  watchGauge(sharedMetrics.metrics.connectionsPending, () => [{ value: pool.waitingCount, attributes }]);
}
