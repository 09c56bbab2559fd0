import { createCountMetric, createDurationMetric, watchGauge } from '@hookline/shared/kernel';
import type { SendResult } from './delivery/sender.ts';
import type { AutomationDeps } from './deps.ts';
import { countSetAside } from './queries/automations.ts';
import type { FiringRow } from './queries/firings.ts';
import { findStalledSeconds } from './queries/open-firings.ts';
import { findOverdueSeconds } from './queries/watched.ts';

const recordLatency = createDurationMetric('hookline.webhook.latency');
const countAttempt = createCountMetric('hookline.webhook.attempts');
const countFiring = createCountMetric('hookline.firings');
const countReconciled = createCountMetric('hookline.reconciled');

function outcomeOf({ error, responseStatus, isOurs }: SendResult & { isOurs?: true }): string {
  if (error === null) return 'delivered';
  if (isOurs) return 'unsigned';
  return responseStatus === null ? 'unanswered' : 'refused';
}

/** @param attemptsMade before this one. */
/** @returns what the attempt's span says too. */
export function noteAttempt(
  result: SendResult & { isOurs?: true },
  attemptsMade: number,
  committedAt: Date,
  now: Date,
) {
  const outcome = outcomeOf(result);
  const told = { 'hookline.webhook.outcome': outcome, 'hookline.webhook.retry': String(attemptsMade > 0) };
  countAttempt(told);
  if (attemptsMade === 0) {
    const latencyMs = Math.max(0, now.getTime() - committedAt.getTime());
    recordLatency(latencyMs, { 'hookline.webhook.outcome': outcome });
  }
  return told;
}

export function noteFirings(firings: readonly Pick<FiringRow, 'status' | 'reason'>[]): void {
  for (const { status, reason } of firings) {
    countFiring({ 'hookline.firing.status': status, 'hookline.firing.reason': reason?.split(':')[0] });
  }
}

/** What waits for its attempt, and what was set aside; and a missed slot is an increase from 0, which an alert looks for. */
export function watchAutomation({ db, now }: Pick<AutomationDeps, 'db' | 'now'>): void {
  countAttempt({ 'hookline.webhook.outcome': 'unsigned', 'hookline.webhook.retry': 'false' }, 0);
  countFiring({ 'hookline.firing.status': 'skipped', 'hookline.firing.reason': 'missed' }, 0);
  watchGauge('hookline.automations.set_aside', async () => [{ value: await countSetAside(db) }]);
  watchGauge('hookline.firings.stalled', async () => [{ value: await findStalledSeconds(db, now()) }]);
  countReconciled({ 'hookline.reconciled.kind': 'firing' }, 0);
  watchGauge('hookline.webhook.overdue', async () => [{ value: await findOverdueSeconds(db, now()) }]);
}
