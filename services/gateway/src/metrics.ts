import { defineMetrics, named, watchGauge } from '@hookline/shared/kernel';
import type { GatewayDeps } from './deps.ts';
import { overdueAfterMs } from './identity/deletion/plan.rules.ts';
import { countOverdue } from './identity/deletion/queries.ts';

export const gatewayMetrics = defineMetrics({
  attributes: {},
  metrics: {
    limiterExact: {
      ...named('gauge', 'hookline.limiter.exact', '{boolean}'),
      about: '1 while limits are shared in Redis, 0 while each gateway keeps its part. Absent without Redis.',
      attributes: [],
    },
    deletionsOverdue: {
      ...named('gauge', 'hookline.workspace.deletions.overdue', '{workspace}'),
      about: 'Workspaces whose deletion began more than a day ago and that a service has not deleted yet.',
      attributes: [],
    },
  },
  spans: {
    redis: {
      name: 'redis {operation}',
      kind: 'client',
      about: 'A question to Redis.',
      attributes: ['db.system.name', 'db.operation.name', 'error.type'],
    },
  },
});

const { metrics } = gatewayMetrics;

export function watchGauges({ redis, db, now }: Pick<GatewayDeps, 'redis' | 'db' | 'now'>): void {
  watchGauge(metrics.deletionsOverdue, async () => [
    { value: await countOverdue(db, new Date(now().getTime() - overdueAfterMs)) },
  ]);
  if (redis) watchGauge(metrics.limiterExact, () => [{ value: redis.isUp ? 1 : 0 }]);
}
