import type { Transaction } from '@hookline/shared/postgres';
import { findFault } from '../automations/fault.ts';
import { moveOn } from '../automations/plan-fields.rules.ts';
import { disarmAutomation, lockDueAutomations, writeProgress } from '../automations/queries.ts';
import { firingIdOfSlot } from '../firings/firing.rules.ts';
import { endOpenFirings, insertFirings } from '../firings/queries.ts';
import { dueSlots } from '../slots/due-slots.rules.ts';

const automationsMax = 200;
const slotsMax = 500;

/**
 * Ends everything that may have been posted since the backup as skipped, so that nothing is posted twice.
 * Runs in the transaction that fills the tables.
 */
export async function endAfterRestore(
  tx: Transaction,
  { backupAt, now }: { backupAt: Date; now: Date },
): Promise<{ firings: number; slots: number }> {
  const reason = `restored: a backup of ${backupAt.toISOString()} was restored, and this may have been posted since`;
  const firings = await endOpenFirings(tx, reason, now);
  let slots = 0;
  for (;;) {
    const automations = await lockDueAutomations(tx, now, automationsMax);
    if (automations.length === 0) return { firings, slots };
    for (const automation of automations) {
      const { id, accountId, approvalMode, nextFireAt } = automation;
      if (nextFireAt === null) continue;
      // A new version or a change arms one that cannot be planned.
      if (findFault(automation) !== null) {
        await disarmAutomation(tx, id);
        continue;
      }
      const { due, next } = dueSlots({ ...automation, nextFireAt }, now, slotsMax);
      const skipped = due.map(({ slot }) => ({
        id: firingIdOfSlot(id, slot),
        automationId: id,
        accountId,
        slot,
        status: 'skipped' as const,
        approvalMode,
        reason,
        now,
      }));
      slots += (await insertFirings(tx, skipped)).length;
      await writeProgress(tx, [moveOn(automation, next)], now);
    }
  }
}
