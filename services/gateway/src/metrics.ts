import { defineMetrics, watchGauge } from '@hookline/shared/kernel';
import type { GatewayDeps } from './deps.ts';

/** What the service alone records. */
export const gatewayMetrics = defineMetrics({
  attributes: {},
  metrics: {
    limiterExact: {
      name: 'hookline.limiter.exact',
      kind: 'gauge',
      unit: '1',
      about: '1 while limits are shared in Redis, 0 while each gateway keeps its part. Absent without Redis.',
      attributes: [],
    },
  },
});

const { metrics } = gatewayMetrics;

/** `hookline.limiter.exact`, where limits are shared in Redis: 1 while Redis answers, 0 while they are kept in memory. */
export function watchGauges({ redis }: Pick<GatewayDeps, 'redis'>): void {
  if (redis) watchGauge(metrics.limiterExact, () => [{ value: redis.isUp ? 1 : 0 }]);
}
