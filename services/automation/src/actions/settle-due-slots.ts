import type { Transaction } from '@hookline/shared/db';
import { automationFired } from '@hookline/shared/events/automation';
import { newId } from '@hookline/shared/ids';
import { appendEvent } from '@hookline/shared/outbox';
import { type AutomationRow, setNextFireAt } from '../queries/automations.ts';
import { type FiringRow, insertFiring } from '../queries/firings.ts';
import { nextSlot } from '../rules/next-slot.ts';
import { decideSlot } from '../rules/slot-decision.ts';

// After a year away an automation has up to 18,000 slots to record; a transaction takes so many and the next goes on.
const slotsMax = 200;

/**
 * Settles the due slots of an automation whose row the caller has locked, oldest first: each gets exactly one
 * firing, which fires or is recorded as skipped (decision 12). Then moves the automation to its next slot.
 */
export async function settleDueSlots(tx: Transaction, automation: AutomationRow, now: Date): Promise<void> {
  let slot = automation.nextFireAt;
  for (let settled = 0; slot && slot <= now && settled < slotsMax; settled += 1) {
    await fireSlot(tx, automation, slot, now);
    slot = nextSlot(automation, slot);
  }
  if (slot) await setNextFireAt(tx, automation.id, slot);
}

/**
 * Writes the firing of a slot and, when it fires, `automation.fired` in the same transaction.
 * @returns null when the slot has its firing already.
 */
export async function fireSlot(
  tx: Transaction,
  automation: AutomationRow,
  slot: Date,
  now: Date,
): Promise<FiringRow | null> {
  const decision = decideSlot(automation.format, slot, now);
  const firing = await insertFiring(tx, {
    id: newId('firing', now.getTime()),
    automationId: automation.id,
    accountId: automation.accountId,
    slot,
    status: decision.fires ? 'fired' : 'skipped',
    approvalMode: automation.approvalMode,
    reason: decision.fires ? null : decision.reason,
    now,
  });
  if (!firing || !decision.fires) return firing;
  await appendEvent(tx, automationFired, {
    accountId: automation.accountId,
    subject: automation.id,
    source: 'automation',
    at: now,
    data: {
      automationId: automation.id,
      firingId: firing.id,
      appId: automation.appId,
      brief: automation.brief,
      approvalMode: automation.approvalMode,
      slot: slot.toISOString(),
    },
  });
  return firing;
}
