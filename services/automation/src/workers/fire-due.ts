import { startWorkerLoop, type WorkerLoop } from '@hookline/shared/worker-loop';
import { settleDueSlots } from '../actions/settle-due-slots.ts';
import type { AutomationDeps } from '../deps.ts';
import { findNextFireAt, lockDueAutomation } from '../queries/automations.ts';

// Backstop for a lost notification and for a clock that was set; the timer to the next slot is exact.
const pollMs = 2_000;

/** Fires due slots: one automation a transaction, claimed so that several processes never share one. */
export function startFireDue({ db, log, now }: Pick<AutomationDeps, 'db' | 'log' | 'now'>): WorkerLoop {
  async function fireOne(): Promise<boolean | Date> {
    const at = now();
    const isFired = await db.transaction(async tx => {
      const automation = await lockDueAutomation(tx, at);
      if (automation) await settleDueSlots(tx, automation, at);
      return automation !== null;
    });
    if (isFired) return true;
    const next = await findNextFireAt(db, at);
    // The loop sleeps by the machine's clock, the slots follow the service's.
    return next ? new Date(Date.now() + next.getTime() - at.getTime()) : false;
  }
  return startWorkerLoop({ name: 'fire-due', work: fireOne, pollMs, log });
}
