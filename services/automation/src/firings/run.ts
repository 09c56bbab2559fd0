import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { findFault } from '../automations/fault.ts';
import { requirePowers } from '../automations/powers.rules.ts';
import { lockAutomation } from '../automations/queries.ts';
import type { WriteContext } from '../deps.ts';
import { decideSlot } from '../slots/due-slots.rules.ts';
import { firingIdOfRun, firingIdOfSlot } from './firing.rules.ts';
import type { FiringRow } from './record.ts';
import { fireSlots } from './settle.ts';

/**
 * Fires one slot now (D-27). A paused automation would schedule nothing after approval (D-46), so it is
 * refused before a credit is spent.
 */
export async function runAutomation(
  { tx, caller, now }: WriteContext,
  id: string,
  idempotencyKey: string | null,
): Promise<FiringRow> {
  const automation = await lockAutomation(tx, caller.accountId, id);
  if (!automation) throw notFound('automation');
  requirePowers(caller, automation);
  if (automation.status === 'paused') {
    throw invalidRequest('status must be "active" for a run; the automation is paused');
  }
  const fault = findFault(automation);
  if (fault !== null) throw invalidRequest(fault);
  // Two runs within the same millisecond are two slots.
  for (let slot = now; ; slot = new Date(slot.getTime() + 1)) {
    const firingId =
      idempotencyKey === null ? firingIdOfSlot(id, slot) : firingIdOfRun(id, idempotencyKey, now);
    const decision = decideSlot(automation.format, slot, now);
    const [firing] = await fireSlots(tx, [{ automation, slot, decision, firingId }], now);
    if (firing) return firing;
  }
}
