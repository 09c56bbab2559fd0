import { createCountMetric, createDurationMetric, watchGauge } from '@hookline/shared/kernel';
import type { SendResult } from './adapters/sender.ts';
import type { AutomationDeps } from './deps.ts';
import { countSetAside } from './queries/automations.ts';
import { findOverdueSeconds } from './queries/gauges.ts';
import { findStalledSeconds } from './queries/open-firings.ts';
import type { FiringRow } from './records/firing.ts';

const latency = createDurationMetric('hookline.webhook.latency');
const attempts = createCountMetric('hookline.webhook.attempts');
const firingCount = createCountMetric('hookline.firings');
const reconciled = createCountMetric('hookline.reconciled');

/** `isUnsigned`: it was not sent, because no key opens its signing secret. */
export type AttemptResult = SendResult & { isUnsigned?: true };

function outcomeOf({ error, responseStatus, isUnsigned }: AttemptResult): string {
  if (error === null) return 'delivered';
  if (isUnsigned) return 'unsigned';
  return responseStatus === null ? 'unanswered' : 'refused';
}

/**
 * @param attemptsMade before this one.
 * @returns the attributes of the attempt's span.
 */
export function countAttempt(result: AttemptResult, attemptsMade: number, committedAt: Date, now: Date) {
  const outcome = outcomeOf(result);
  const attributes = {
    'hookline.webhook.outcome': outcome,
    'hookline.webhook.retry': String(attemptsMade > 0),
  };
  attempts(attributes);
  if (attemptsMade === 0) {
    const latencyMs = Math.max(0, now.getTime() - committedAt.getTime());
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

/** Overdue deliveries, stalled firings, automations set aside. Counters whose increase raises an alert begin at 0. */
export function watchGauges({ db, now }: Pick<AutomationDeps, 'db' | 'now'>): void {
  attempts({ 'hookline.webhook.outcome': 'unsigned', 'hookline.webhook.retry': 'false' }, 0);
  firingCount({ 'hookline.firing.status': 'skipped', 'hookline.firing.reason': 'missed' }, 0);
  watchGauge('hookline.automations.set_aside', async () => [{ value: await countSetAside(db) }]);
  watchGauge('hookline.firings.stalled', async () => [{ value: await findStalledSeconds(db, now()) }]);
  reconciled({ 'hookline.reconciled.kind': 'firing' }, 0);
  watchGauge('hookline.webhook.overdue', async () => [{ value: await findOverdueSeconds(db, now()) }]);
}
