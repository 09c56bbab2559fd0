import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import { settleDueSlots } from '../actions/settle-due-slots.ts';
import type { AutomationDeps } from '../deps.ts';
import { findNextFireAt, lockDueAutomations } from '../queries/automations.ts';

// Backstop for a lost notification and for a clock that was set; the timer to the next slot is exact.
const pollMs = 2_000;
// Many automations name the same minute: one transaction for many of them.
const batchMax = 200;

/** Fires due slots, many automations a transaction, claimed so that several processes never share one. */
export function startFireDue({ db, log, now }: Pick<AutomationDeps, 'db' | 'log' | 'now'>): WorkerLoop {
  async function fireBatch(): Promise<boolean | Date> {
    const at = now();
    const fired = await db.transaction(async tx => {
      const automations = await lockDueAutomations(tx, at, batchMax);
      if (automations.length > 0) await settleDueSlots(tx, automations, at);
      return automations.length;
    });
    if (fired > 0) return true;
    const next = await findNextFireAt(db, at);
    // The loop sleeps by the machine's clock, the slots follow the service's.
    return next ? new Date(Date.now() + next.getTime() - at.getTime()) : false;
  }
  return startWorkerLoop({ name: 'fire-due', work: fireBatch, pollMs, log });
}
