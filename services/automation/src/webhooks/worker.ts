import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Worker } from '@hookline/shared/service';
import { channels } from '../channels.ts';
import type { AutomationDeps } from '../deps.ts';
import { endNextDeliveries } from './end.ts';

export function endDeliveriesWorker(deps: AutomationDeps, wake: () => void): Worker {
  return {
    name: 'end-deliveries',
    work: () => endNextDeliveries(deps),
    pollMs: minuteMs,
    channels: { [channels.webhooks]: wake },
  };
}
