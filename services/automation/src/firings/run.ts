import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { findFault } from '../automations/fault.ts';
import { requirePowers } from '../automations/powers.rules.ts';
import { lockAutomation } from '../automations/queries.ts';
import type { WriteContext } from '../deps.ts';
import { decideSlot } from '../slots/due-slots.rules.ts';
import { firingIdOfRun } from './firing.rules.ts';
import type { FiringRow } from './record.ts';
import { settleSlots } from './settle.ts';

/**
 * Fires one slot now (D-27). A paused automation would schedule nothing after approval (D-46), so it is
 * refused before a credit is spent, and one that has ended fires no more.
 */
export async function runAutomation(
  { tx, caller, now }: WriteContext,
  id: string,
  idempotencyKey: string | null,
): Promise<FiringRow> {
  const automation = await lockAutomation(tx, caller.accountId, id);
  if (!automation) throw notFound('automation');
  requirePowers(caller, automation);
  if (automation.status !== 'active') {
    const state = automation.status === 'paused' ? 'is paused' : 'has ended';
    throw invalidRequest(`status must be "active" for a run; the automation ${state}`);
  }
  const fault = findFault(automation);
  if (fault !== null) throw invalidRequest(fault);
  // Two runs within the same millisecond are two slots.
  for (let slot = now; ; slot = new Date(slot.getTime() + 1)) {
    const decision = decideSlot(automation.format, slot, now);
    const run = idempotencyKey === null ? {} : { firingId: firingIdOfRun(id, idempotencyKey, now) };
    const due = [{ slot, decision, ...run }];
    const { firings } = await settleSlots(tx, [{ automation, due, next: automation.nextFireAt }], now);
    if (firings[0]) return firings[0];
  }
}
