import { listFrozen } from '@hookline/shared/leaving';
import { type IsolatedFault, isolateFaults } from '@hookline/shared/postgres';
import { findFault, setAsideReason } from '../automations/fault.ts';
import { disarmAutomation, lockDueOf } from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import type { AutomationDeps } from '../deps.ts';
import { countFirings } from '../metrics.ts';
import { firingIdOfSlot } from './firing.rules.ts';
import { insertFirings } from './queries.ts';
import type { FiringRow } from './record.ts';
import { type PlannedSlots, planDueSlots, settleSlots, skipSlots, slotsMax } from './settle.ts';

type FiringDeps = Pick<AutomationDeps, 'db' | 'log'>;

/**
 * Settles the due slots of automations that were read without a lock. A row that another process has changed
 * or locked since is left to the next run. An automation that cannot be settled is set aside.
 * @returns the number of automations settled or set aside
 * @throws if the database is down; nothing is set aside for that
 */
export async function fireDueAutomations(
  deps: FiringDeps,
  automations: readonly AutomationRow[],
  now: Date,
): Promise<number> {
  const { planned, faults } = plan(automations, now);
  const settled = await isolateFaults(planned, part => settleUnchanged(deps, part, now));
  for (const { firings } of settled.results) countFirings(firings);
  let count = settled.results.reduce((sum, result) => sum + result.automations, 0);
  const inSettling = settled.faults.map(({ item, error }) => ({ item: item.automation, error }));
  for (const fault of [...faults, ...inSettling]) {
    if (await setAside(deps, fault, now)) count += 1;
  }
  return count;
}

function plan(automations: readonly AutomationRow[], now: Date) {
  const planned: PlannedSlots[] = [];
  const faults: IsolatedFault<AutomationRow>[] = [];
  let slotsLeft = slotsMax;
  for (const automation of automations) {
    try {
      const slots = planDueSlots(automation, now, Math.max(1, slotsLeft));
      slotsLeft -= slots.due.length;
      planned.push(slots);
    } catch (error) {
      faults.push({ item: automation, error });
    }
  }
  return { planned, faults };
}

async function settleUnchanged(
  { db }: FiringDeps,
  planned: readonly PlannedSlots[],
  now: Date,
): Promise<{ firings: FiringRow[]; automations: number }> {
  return await db.transaction(async tx => {
    const locked = await lockDueOf(tx, idsOf(planned), now);
    const rows = new Map(locked.map(row => [row.id, row]));
    const frozen = await listFrozen(tx, [...new Set(locked.map(row => row.accountId))]);
    const valid = planned.flatMap(({ automation, ...slots }) => {
      const row = rows.get(automation.id);
      // The brief and the other fields are those of the locked row.
      if (!row || !isSamePlan(row, automation)) return [];
      return [{ ...(frozen.has(row.accountId) ? skipSlots(slots) : slots), automation: row }];
    });
    if (valid.length === 0) return { firings: [], automations: 0 };
    const { firings } = await settleSlots(tx, valid, now);
    return { firings, automations: valid.length };
  });
}

function idsOf(planned: readonly PlannedSlots[]): string[] {
  return planned.map(({ automation }) => automation.id);
}

function isSamePlan(left: AutomationRow, right: AutomationRow): boolean {
  return (
    left.nextFireAt?.getTime() === right.nextFireAt?.getTime() &&
    left.timezone === right.timezone &&
    left.until?.getTime() === right.until?.getTime() &&
    JSON.stringify(left.postingTimes) === JSON.stringify(right.postingTimes)
  );
}

/**
 * Records the due slot as a failed firing that gives its owner the reason; the automation does not fire until
 * a change arms it again. @returns false if it has changed since it was read
 */
async function setAside(
  { db, log }: FiringDeps,
  { item: automation, error }: IsolatedFault<AutomationRow>,
  now: Date,
): Promise<boolean> {
  const reason = setAsideReason(findFault(automation));
  const firings = await db.transaction(async tx => {
    const [row] = await lockDueOf(tx, [automation.id], now);
    const isSame =
      row && isSamePlan(row, automation) && row.updatedAt.getTime() === automation.updatedAt.getTime();
    if (!isSame || row.nextFireAt === null) return null;
    await disarmAutomation(tx, row.id);
    const { id: automationId, accountId, approvalMode, nextFireAt: slot } = row;
    const id = firingIdOfSlot(automationId, slot);
    return await insertFirings(tx, [
      { id, automationId, accountId, slot, status: 'failed', approvalMode, reason, now },
    ]);
  });
  if (!firings) return false;
  countFirings(firings);
  const { id: automationId, accountId } = automation;
  log.error({ err: error, automationId, accountId, reason }, 'an automation was set aside');
  return true;
}
