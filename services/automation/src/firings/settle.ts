import { appendEvents } from '@hookline/shared/bus';
import { automationFired } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { setNextFireAts } from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import { type DueSlot, dueSlots } from '../slots/due-slots.rules.ts';
import { firingIdOfSlot } from './firing.rules.ts';
import { insertFirings } from './queries.ts';
import type { FiringRow } from './record.ts';

// After a year offline an automation has up to 18,000 slots to record. A transaction takes this many in
// total, at least one of each automation, and the next one continues.
export const slotsMax = 500;

export type PlannedSlots = { automation: AutomationRow; due: DueSlot[]; next: Date };

type SlotOf = DueSlot & { automation: AutomationRow; firingId: string };

/**
 * Computes the due slots of an armed automation (D-12). A slot takes about 50 µs, so plan many of them
 * outside a transaction.
 */
export function planDueSlots(automation: AutomationRow, now: Date, countMax: number): PlannedSlots {
  if (automation.nextFireAt === null) throw new Error('an automation without a next slot');
  return { automation, ...dueSlots({ ...automation, nextFireAt: automation.nextFireAt }, now, countMax) };
}

/** No slot fires while the deletion of its workspace waits. */
export function skipSlots<T extends Pick<PlannedSlots, 'due'>>(slots: T): T {
  const reason = 'the workspace was about to be deleted';
  return { ...slots, due: slots.due.map(({ slot }) => ({ slot, decision: { fires: false, reason } })) };
}

/**
 * Settles planned slots of automations whose rows the caller has locked.
 * @returns the firings written; the caller counts them after the commit
 */
export async function settleSlots(
  tx: Transaction,
  planned: readonly PlannedSlots[],
  now: Date,
): Promise<FiringRow[]> {
  const slots = planned.flatMap(({ automation, due }) =>
    due.map(slot => ({ ...slot, automation, firingId: firingIdOfSlot(automation.id, slot.slot) })),
  );
  const firings = await fireSlots(tx, slots, now);
  const moved = planned.map(({ automation, next }) => ({ id: automation.id, nextFireAt: next }));
  await setNextFireAts(tx, moved);
  return firings;
}

/** Writes the firings and, for those that fire, `automation.fired` in the same transaction. */
export async function fireSlots(tx: Transaction, slots: readonly SlotOf[], now: Date): Promise<FiringRow[]> {
  if (slots.length === 0) return [];
  const firings = await insertFirings(
    tx,
    slots.map(({ automation, slot, decision, firingId }) => ({
      id: firingId,
      automationId: automation.id,
      accountId: automation.accountId,
      slot,
      status: decision.fires ? 'fired' : 'skipped',
      approvalMode: automation.approvalMode,
      reason: decision.fires ? null : decision.reason,
      now,
    })),
  );
  const automations = new Map(slots.map(({ automation }) => [automation.id, automation]));
  const fired = firings.filter(firing => firing.status === 'fired');
  await appendEvents(
    tx,
    automationFired,
    fired.map(firing => firedEvent(automations.get(firing.automationId) as AutomationRow, firing, now)),
  );
  return firings;
}

/** Content creates one deck for the firing, however often the event arrives. */
export function firedEvent(automation: AutomationRow, firing: FiringRow, now: Date) {
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
      // The flag is set only for an automation that approves by itself.
      approvalMode: automation.awaitsConfirmation ? ('unconfirmed' as const) : automation.approvalMode,
      authorId: automation.authorId ?? undefined,
      slot: firing.slot.toISOString(),
    },
  };
}
