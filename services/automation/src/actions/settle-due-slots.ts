import type { Transaction } from '@hookline/shared/db';
import { automationFired } from '@hookline/shared/events/automation';
import { newId } from '@hookline/shared/ids';
import { appendEvents } from '@hookline/shared/outbox';
import { noteFirings } from '../automation-metrics.ts';
import { type AutomationRow, setNextFireAts } from '../queries/automations.ts';
import { type FiringRow, insertFirings } from '../queries/firings.ts';
import { type DueSlot, dueSlots } from '../rules/due-slots.ts';
import { decideSlot } from '../rules/slot-decision.ts';

// After a year away an automation has up to 18,000 slots to record: a transaction takes so many in all, at least one
// of each automation, and the next goes on.
const slotsMax = 500;

type SlotOf = DueSlot & { automation: AutomationRow };

/**
 * Settles the due slots of automations whose rows the caller has locked: each slot gets exactly one firing, which
 * fires or is recorded as skipped (decision 12). Then moves the automations to their next slots.
 */
export async function settleDueSlots(
  tx: Transaction,
  automations: readonly AutomationRow[],
  now: Date,
): Promise<void> {
  const slots: SlotOf[] = [];
  const moved: { id: string; nextFireAt: Date }[] = [];
  for (const automation of automations) {
    const { nextFireAt } = automation;
    if (nextFireAt === null) continue;
    const left = Math.max(1, slotsMax - slots.length);
    const { due, next } = dueSlots({ ...automation, nextFireAt }, now, left);
    slots.push(...due.map(one => ({ ...one, automation })));
    moved.push({ id: automation.id, nextFireAt: next });
  }
  await fireSlots(tx, slots, now);
  await setNextFireAts(tx, moved);
}

/** Fires one slot, whatever the plan says. @returns null when the slot has its firing already. */
export async function fireSlot(
  tx: Transaction,
  automation: AutomationRow,
  slot: Date,
  now: Date,
): Promise<FiringRow | null> {
  const decision = decideSlot(automation.format, slot, now);
  const [firing] = await fireSlots(tx, [{ automation, slot, decision }], now);
  return firing ?? null;
}

/** Writes the firings and, for those that fire, `automation.fired` in the same transaction. */
async function fireSlots(tx: Transaction, slots: readonly SlotOf[], now: Date): Promise<FiringRow[]> {
  if (slots.length === 0) return [];
  const firings = await insertFirings(
    tx,
    slots.map(({ automation, slot, decision }) => ({
      id: newId('firing', now.getTime()),
      automationId: automation.id,
      accountId: automation.accountId,
      slot,
      status: decision.fires ? 'fired' : 'skipped',
      approvalMode: automation.approvalMode,
      reason: decision.fires ? null : decision.reason,
      now,
    })),
  );
  noteFirings(firings);
  const automations = new Map(slots.map(({ automation }) => [automation.id, automation]));
  const fired = firings.filter(firing => firing.status === 'fired');
  await appendEvents(
    tx,
    automationFired,
    fired.map(firing => firedEvent(automations.get(firing.automationId) as AutomationRow, firing, now)),
  );
  return firings;
}

function firedEvent(automation: AutomationRow, firing: FiringRow, now: Date) {
  return {
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
      slot: firing.slot.toISOString(),
    },
  };
}
