import { watchGauge } from '@hookline/shared/kernel';
import type { GatewayDeps } from './deps.ts';

/** `hookline.limiter.exact`, where limits are shared in Redis: 1 while Redis answers, 0 while they are kept in memory. */
export function watchGauges({ redis }: Pick<GatewayDeps, 'redis'>): void {
  if (redis) watchGauge('hookline.limiter.exact', () => [{ value: redis.isUp ? 1 : 0 }]);
}
