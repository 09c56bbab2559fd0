import { invalidRequest, notFound } from '@hookline/shared/contracts';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import { findFault } from '../automations/fault.ts';
import { requirePowers } from '../automations/powers.rules.ts';
import { lockAutomation } from '../automations/queries.ts';
import type { AutomationDeps } from '../deps.ts';
import type { FiringRow } from './record.ts';
import { fireSlot } from './settle.ts';

/**
 * Fires one slot now (D-27); the slot is this moment. A paused automation would schedule nothing after
 * approval (D-46), so it is refused before a credit is spent.
 * @throws ApiError `not_found`, `missing_scope`, `invalid_request`
 */
export async function runAutomation(
  deps: Pick<AutomationDeps, 'now'>,
  tx: Transaction,
  caller: Caller,
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
  const now = deps.now();
  // Two runs within the same millisecond are two slots.
  for (let slot = now; ; slot = new Date(slot.getTime() + 1)) {
    const firing = await fireSlot(tx, automation, slot, now, idempotencyKey);
    if (firing) return firing;
  }
}
