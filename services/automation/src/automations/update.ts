import { ApiError, invalidRequest, notFound } from '@hookline/shared/contracts';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import { findPlatformAccount } from '@hookline/shared/contracts/internal';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { Caller } from '@hookline/shared/http';
import { nextSlot } from '@hookline/shared/kernel/posting-times';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import type { FiringRow } from '../firings/record.ts';
import { planDueSlots, settleSlots } from '../firings/settle.ts';
import { countFirings } from '../metrics.ts';
import { firingsLeft } from '../slots/plan-end.rules.ts';
import { confirmationAfter } from './confirmation.rules.ts';
import { findFault } from './fault.ts';
import {
  changeFields,
  moveOn,
  requireLevel,
  requireMode,
  requireOneTopic,
  requireTimezone,
} from './plan-fields.rules.ts';
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
  await requirePostingOfAccount(deps, request);
  const { changed, firings } = await deps.db.transaction(async tx => {
    const now = deps.now();
    const locked = await lockAutomation(tx, caller.accountId, id);
    if (!locked) throw notFound('automation');
    const { current, firings } = await settleOldPlan(tx, locked, change, now);
    const fields = { ...current, ...changeFields(current, change), ...readOwnFields(change, current) };
    requireOneTopic(fields, change.topics === undefined ? 'brief.topic' : 'topics');
    const confirmation = confirmationAfter(caller, current, fields);
    if (!isPauseOnly(change)) {
      requirePowers(caller, fields);
      requirePersonForAuto(caller, fields);
    }
    const changed = planNextFiring(current, { ...fields, ...confirmation, updatedAt: now }, change);
    await writeAutomation(tx, changed, caller.keyId);
    return { changed, firings };
  });
  countFirings(firings);
  return changed;
}

async function requirePostingOfAccount(
  { db, peers }: Pick<AutomationDeps, 'db' | 'peers'>,
  { caller, id, change }: { caller: Caller; id: string; change: UpdateAutomationBody },
): Promise<void> {
  const automation = await findAutomation(db, caller.accountId, id);
  if (!automation) throw notFound('automation');
  // One that has ended may be active again with another plan.
  const mayBeginAgain = change.status === 'active' || (automation.status === 'ended' && changesPlan(change));
  if (!change.privacyLevel && !change.postingMode && !mayBeginAgain) return;
  const params = { id: automation.tiktokAccountId };
  const { account } = await peers.call(findPlatformAccount, { params, body: {}, caller });
  if (!account) throw new ApiError('account_not_found');
  requireLevel(change.privacyLevel ?? null, account.privacyLevels);
  if (change.postingMode) requireMode(change.postingMode, account);
}

type Plan = Pick<UpdateAutomationBody, 'timezone' | 'postingTimes' | 'until' | 'maxFirings'>;

function changesPlan({ timezone, postingTimes, until, maxFirings }: Plan): boolean {
  return [timezone, postingTimes, until, maxFirings].some(field => field !== undefined);
}

/**
 * Settles due slots of the old plan before the new plan takes effect, so that none is lost. A plan that can no
 * longer be settled gives way to the new one.
 */
async function settleOldPlan(
  tx: Transaction,
  current: AutomationRow,
  change: UpdateAutomationBody,
  now: Date,
): Promise<{ current: AutomationRow; firings: FiringRow[] }> {
  const isDue = current.nextFireAt !== null && current.nextFireAt <= now;
  if (!isDue || change.status === 'paused' || !changesPlan(change) || findFault(current) !== null) {
    return { current, firings: [] };
  }
  const { firings, automations } = await settleSlots(tx, [planDueSlots(current, now)], now);
  return { current: automations[0] ?? current, firings };
}

/** The new plan also arms an automation that was set aside, and one that its new limits bring back. */
function planNextFiring(
  current: AutomationRow,
  changed: AutomationRow,
  change: UpdateAutomationBody,
): AutomationRow {
  if (changed.status === 'paused') return { ...changed, nextFireAt: null };
  const stays = current.nextFireAt !== null && !changesPlan(change);
  if (stays) return changed;
  requireTimezone(changed.timezone);
  const planned = moveOn(changed, nextSlot(changed, changed.updatedAt));
  if (planned.status === 'ended' && change.status === 'active') {
    const limit = firingsLeft(planned) === 0 ? 'maxFirings' : 'until';
    throw invalidRequest(`${limit} must be changed or removed: it leaves the automation no slot`);
  }
  return planned;
}

export async function deleteAutomation(
  { db, now }: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  if (!(await remove(db, { accountId: caller.accountId, id, now: now() }))) throw notFound('automation');
}
