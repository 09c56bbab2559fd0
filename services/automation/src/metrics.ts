import {
  createCountMetric,
  createDurationMetric,
  defineMetrics,
  named,
  sharedMetrics,
  watchGauge,
} from '@hookline/shared/kernel';
import { countSetAside } from './automations/queries.ts';
import { findOverdueSeconds } from './deliveries/queries-queue.ts';
import type { ClaimedDelivery } from './deliveries/record.ts';
import type { AutomationDeps } from './deps.ts';
import { findStalledSeconds } from './firings/queries.ts';
import type { FiringRow } from './firings/record.ts';
import type { SendResult } from './receivers/sender.ts';

export const automationMetrics = defineMetrics({
  attributes: {
    'hookline.webhook.outcome':
      '`delivered`, `refused` (an answer other than 2xx), `unanswered` or `unsigned` (not sent: its secret cannot be opened).',
    'hookline.webhook.retry': 'Whether it was not the first attempt: `true` or `false`.',
    'hookline.firing.status': '`fired`, `skipped` or `failed`.',
    'hookline.firing.reason':
      'Why it was skipped or failed, such as `missed` or `set_aside`; absent where it fired.',
  },
  metrics: {
    latency: {
      ...named('histogram', 'hookline.webhook.latency', 's'),
      about: 'From the commit of an event to the end of the first attempt to deliver it.',
      attributes: ['hookline.webhook.outcome'],
    },
    attempts: {
      ...named('counter', 'hookline.webhook.attempts', '{attempt}'),
      about: 'Attempts to deliver.',
      attributes: ['hookline.webhook.outcome', 'hookline.webhook.retry'],
    },
    overdue: {
      ...named('gauge', 'hookline.webhook.overdue', 's'),
      about: 'How long the longest due delivery has been in no worker’s hands; 0 when none is due.',
      attributes: [],
    },
    firings: {
      ...named('counter', 'hookline.firings', '{firing}'),
      about: 'Slots of automations that were settled.',
      attributes: ['hookline.firing.status', 'hookline.firing.reason'],
    },
    firingsStalled: {
      ...named('gauge', 'hookline.firings.stalled', 's'),
      about: 'How long the oldest firing without content has waited for it; 0 when none waits.',
      attributes: [],
    },
    setAside: {
      ...named('gauge', 'hookline.automations.set_aside', '{automation}'),
      about: 'Automations that could not be settled and fire no more until they are changed.',
      attributes: [],
    },
  },
  spans: {
    deliver: {
      name: 'deliver webhook',
      kind: 'internal',
      about:
        'One attempt to deliver an event. Its parent is the span in which the event reached the feed; after ten minutes it is a trace of its own, linked to that.',
      attributes: ['hookline.request_id', 'hookline.webhook.outcome', 'hookline.webhook.retry'],
    },
  },
});

const { metrics } = automationMetrics;

const latency = createDurationMetric(metrics.latency);
const attempts = createCountMetric(metrics.attempts);
const firingCount = createCountMetric(metrics.firings);
const reconciled = createCountMetric(sharedMetrics.metrics.reconciled);

/** `isUnsigned` says that it was not sent because no key opens its signing secret. */
export type AttemptResult = SendResult & { isUnsigned?: true };

function outcomeOf({ error, responseStatus, isUnsigned }: AttemptResult): string {
  if (error === null) return 'delivered';
  if (isUnsigned) return 'unsigned';
  return responseStatus === null ? 'unanswered' : 'refused';
}

/** @returns the attributes of the span */
export function countAttempt(
  result: AttemptResult,
  { attemptsMade, event }: Pick<ClaimedDelivery, 'attemptsMade' | 'event'>,
  now: Date,
) {
  const outcome = outcomeOf(result);
  const attributes = {
    'hookline.webhook.outcome': outcome,
    'hookline.webhook.retry': String(attemptsMade > 0),
  };
  attempts(attributes);
  if (attemptsMade === 0) {
    const latencyMs = Math.max(0, now.getTime() - event.createdAt.getTime());
    latency(latencyMs, { 'hookline.webhook.outcome': outcome });
  }
  return attributes;
}

export function countFirings(firings: readonly Pick<FiringRow, 'status' | 'reason'>[]): void {
  for (const { status, reason } of firings) {
    firingCount({ 'hookline.firing.status': status, 'hookline.firing.reason': reason?.split(':')[0] });
  }
}

export function countReconciled(): void {
  reconciled({ 'hookline.reconciled.kind': 'firing' });
}

/** Counters whose increase raises an alert begin at 0. */
export function watchGauges({ db, now }: Pick<AutomationDeps, 'db' | 'now'>): void {
  attempts({ 'hookline.webhook.outcome': 'unsigned', 'hookline.webhook.retry': 'false' }, 0);
  firingCount({ 'hookline.firing.status': 'skipped', 'hookline.firing.reason': 'missed' }, 0);
  watchGauge(metrics.setAside, async () => [{ value: await countSetAside(db) }]);
  watchGauge(metrics.firingsStalled, async () => [{ value: await findStalledSeconds(db, now()) }]);
  reconciled({ 'hookline.reconciled.kind': 'firing' }, 0);
  watchGauge(metrics.overdue, async () => [{ value: await findOverdueSeconds(db, now()) }]);
}
