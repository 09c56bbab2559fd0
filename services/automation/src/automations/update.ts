import { notFound } from '@hookline/shared/contracts';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import { findPlatformAccount } from '@hookline/shared/contracts/internal';
import type { PrivacyLevel } from '@hookline/shared/contracts/schedules';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import type { FiringRow } from '../firings/record.ts';
import { planDueSlots, settleSlots, slotsMax } from '../firings/settle.ts';
import { countFirings } from '../metrics.ts';
import { nextSlot } from '../slots/next-slot.rules.ts';
import { confirmationAfter } from './confirmation.rules.ts';
import { findFault } from './fault.ts';
import { changeFields, requireLevel, requireTimezone } from './plan-fields.rules.ts';
import { isPauseOnly, requirePersonForAuto, requirePowers } from './powers.rules.ts';
import {
  findAutomation,
  lockAutomation,
  deleteAutomation as remove,
  updateAutomation as writeAutomation,
} from './queries.ts';
import type { AutomationRow } from './record.ts';

/** Unless it only pauses, the calling key needs the scopes of what the automation is afterwards (API-16). */
export async function updateAutomation(
  deps: Pick<AutomationDeps, 'db' | 'now' | 'peers'>,
  request: { caller: Caller; id: string; change: UpdateAutomationBody },
): Promise<AutomationRow> {
  const { caller, id, change } = request;
  if (change.timezone !== undefined) requireTimezone(change.timezone);
  if (change.privacyLevel) await requireLevelOfAccount(deps, request, change.privacyLevel);
  const { changed, firings } = await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockAutomation(tx, caller.accountId, id);
    if (!current) throw notFound('automation');
    const fields = { ...current, ...changeFields(current, change) };
    const confirmation = confirmationAfter(caller, current, fields);
    const changed: AutomationRow = { ...fields, ...confirmation, updatedAt: now };
    if (!isPauseOnly(change)) {
      requirePowers(caller, changed);
      requirePersonForAuto(caller, changed);
    }
    const plan = await planNextFiring(tx, current, changed);
    changed.nextFireAt = plan.nextFireAt;
    await writeAutomation(tx, changed, caller.keyId);
    return { changed, firings: plan.firings };
  });
  countFirings(firings);
  return changed;
}

async function requireLevelOfAccount(
  { db, peers }: Pick<AutomationDeps, 'db' | 'peers'>,
  { caller, id }: { caller: Caller; id: string },
  privacyLevel: PrivacyLevel,
): Promise<void> {
  const automation = await findAutomation(db, caller.accountId, id);
  if (!automation) throw notFound('automation');
  const params = { id: automation.tiktokAccountId };
  const { account } = await peers.call(findPlatformAccount, { params, body: {}, caller });
  requireLevel(privacyLevel, account?.privacyLevels ?? []);
}

/**
 * Settles due slots of the old plan before the new plan takes effect, so that none is lost. The new plan arms
 * an automation that was set aside, or whose old plan can no longer be settled.
 */
async function planNextFiring(
  tx: Transaction,
  current: AutomationRow,
  changed: AutomationRow,
): Promise<{ nextFireAt: Date | null; firings: FiringRow[] }> {
  if (changed.status === 'paused') return { nextFireAt: null, firings: [] };
  const isSamePlan =
    current.status === 'active' &&
    current.timezone === changed.timezone &&
    current.postingTimes === changed.postingTimes;
  if (isSamePlan && current.nextFireAt) return { nextFireAt: current.nextFireAt, firings: [] };
  requireTimezone(changed.timezone);
  const now = changed.updatedAt;
  const isDue = current.nextFireAt !== null && findFault(current) === null;
  const firings = isDue ? await settleSlots(tx, [planDueSlots(current, now, slotsMax)], now) : [];
  return { nextFireAt: nextSlot(changed, now), firings };
}

export async function deleteAutomation(
  { db, now }: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!(await remove(db, { accountId: caller.accountId, id, now: now() }))) throw notFound('automation');
}
