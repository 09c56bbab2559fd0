import { pageByPage, type Worker } from '@hookline/shared/service';
import { findNextFireAt, listDueAutomations } from '../automations/queries.ts';
import { channels } from '../channels.ts';
import type { AutomationDeps } from '../deps.ts';
import { fireDueAutomations } from './fire-due.ts';
import { type FiringCursor, reconcileFirings } from './reconcile.ts';

// Many automations share the same minute.
const batchMax = 200;
// While other processes settle the first ones, the next run skips those, up to this many.
const passOverMax = 2_000;
const othersPauseMs = 50;

/** Several processes never settle the same automation. */
export function fireDueWorker(deps: AutomationDeps, wake: () => void): Worker {
  const { db, now } = deps;
  let passOver = 0;

  async function fireBatch(): Promise<boolean | Date> {
    const at = now();
    const due = await listDueAutomations(db, at, passOver, batchMax);
    const passedOver = passOver;
    passOver = 0;
    if (due.length > 0) {
      const count = await fireDueAutomations(deps, due, at);
      if (count > 0) return true;
      if (passedOver < passOverMax && due.length === batchMax) {
        passOver = passedOver + batchMax;
        return true;
      }
    }
    if (due.length > 0 || passedOver > 0) return new Date(Date.now() + othersPauseMs);
    const next = await findNextFireAt(db, at);
    // The loop sleeps by the machine's clock; the slots follow the service's.
    return next ? new Date(Date.now() + next.getTime() - at.getTime()) : false;
  }

  return {
    name: 'fire-due',
    work: fireBatch,
    // A notification may be lost and the clock may change; the timer to the next slot is exact.
    pollMs: 2_000,
    // Slots that are settled ahead of their time would not fire when it comes.
    needsSteadyClock: true,
    channels: { [channels.plans]: wake },
  };
}

export function reconcileFiringsWorker(deps: AutomationDeps): Worker {
  const complaint = 'open firings could not be compared; they are at the next poll';
  return {
    name: 'reconcile-firings',
    work: pageByPage<FiringCursor>(deps.log, after => reconcileFirings(deps, after), complaint),
    pollMs: 5 * 60_000,
    needsSteadyClock: true,
  };
}
