import { notFound } from '@hookline/shared/contracts';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { AutomationDeps } from '../deps.ts';
import { countFirings } from '../metrics.ts';
import { lockAutomation, updateAutomation as writeAutomation } from '../queries/automations.ts';
import type { AutomationRow } from '../records/automation.ts';
import type { FiringRow } from '../records/firing.ts';
import { nextSlot } from '../rules/next-slot.ts';
import {
  briefForFirings,
  type Posting,
  postingOf,
  requirePublishScope,
  requireTimezone,
} from '../rules/plan-fields.ts';
import { findFault } from './find-fault.ts';
import { planDueSlots, settleSlots, slotsMax } from './settle-due-slots.ts';

/**
 * Pauses, resumes or changes an automation. Raising `postingMode` to publish, or choosing another privacy level
 * for it, needs `schedules:publish` on the calling key (API-16).
 * @throws ApiError `not_found`, `missing_scope`, `invalid_request`
 */
export async function updateAutomation(
  deps: Pick<AutomationDeps, 'db' | 'now'>,
  caller: Caller,
  id: string,
  body: UpdateAutomationBody,
): Promise<AutomationRow> {
  if (body.timezone !== undefined) requireTimezone(body.timezone);
  const { changed, firings } = await deps.db.transaction(async tx => {
    const now = deps.now();
    const current = await lockAutomation(tx, caller.accountId, id);
    if (!current) throw notFound('automation');
    const posting = changedPosting(current, body);
    const raised = current.postingMode !== 'publish' || current.privacyLevel !== posting.privacyLevel;
    if (posting.postingMode === 'publish' && raised) requirePublishScope(caller);
    const changed: AutomationRow = {
      ...current,
      status: body.status ?? current.status,
      postingTimes: body.postingTimes ?? current.postingTimes,
      timezone: body.timezone ?? current.timezone,
      brief:
        body.brief === undefined ? current.brief : briefForFirings(current.format, body.brief ?? undefined),
      approvalMode: body.approvalMode ?? current.approvalMode,
      ...posting,
      updatedAt: now,
    };
    const plan = await planNextFiring(tx, current, changed, now);
    changed.nextFireAt = plan.nextFireAt;
    await writeAutomation(tx, changed);
    return { changed, firings: plan.firings };
  });
  countFirings(firings);
  return changed;
}

function changedPosting(current: AutomationRow, body: UpdateAutomationBody): Posting {
  const postingMode = body.postingMode ?? current.postingMode;
  if (body.privacyLevel !== undefined) return postingOf(postingMode, body.privacyLevel);
  return postingOf(postingMode, postingMode === 'publish' ? current.privacyLevel : undefined);
}

/**
 * Slots of the old plan that are due already are settled before the new plan counts, so that none is lost. An
 * automation that was set aside, or whose old plan cannot be settled any more, is armed by its new plan.
 * @throws ApiError `invalid_request` when the new plan names a zone that is not known.
 */
async function planNextFiring(
  tx: Transaction,
  current: AutomationRow,
  changed: AutomationRow,
  now: Date,
): Promise<{ nextFireAt: Date | null; firings: FiringRow[] }> {
  if (changed.status === 'paused') return { nextFireAt: null, firings: [] };
  const isSamePlan =
    current.status === 'active' &&
    current.timezone === changed.timezone &&
    current.postingTimes === changed.postingTimes;
  if (isSamePlan && current.nextFireAt) return { nextFireAt: current.nextFireAt, firings: [] };
  requireTimezone(changed.timezone);
  const isDue = current.nextFireAt !== null && findFault(current) === null;
  const firings = isDue ? await settleSlots(tx, [planDueSlots(current, now, slotsMax)], now) : [];
  return { nextFireAt: nextSlot(changed, now), firings };
}
