import type { Caller } from '@hookline/shared/caller';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { Transaction } from '@hookline/shared/db';
import type { AutomationDeps } from '../deps.ts';
import {
  type AutomationRow,
  lockAutomation,
  updateAutomation as writeAutomation,
} from '../queries/automations.ts';
import { nextSlot } from '../rules/next-slot.ts';
import { briefForFirings, type Posting, postingOf } from '../rules/plan-fields.ts';
import { requirePublishScope, requireTimezone } from './create-automation.ts';
import { settleDueSlots } from './settle-due-slots.ts';

/**
 * Pauses, resumes or changes an automation. Raising `postingMode` to publish, or choosing another privacy level
 * for it, needs `schedules:publish` on the calling key (additions section 7).
 * @throws ApiError `not_found`, `missing_scope`, `invalid_request`
 */
export function updateAutomation(
  { db, now: clock }: AutomationDeps,
  caller: Caller,
  id: string,
  body: UpdateAutomationBody,
): Promise<AutomationRow> {
  if (body.timezone !== undefined) requireTimezone(body.timezone);
  return db.transaction(async tx => {
    const now = clock();
    const current = await lockAutomation(tx, caller.accountId, id);
    const posting = changedPosting(current, body);
    const raised = current.postingMode !== 'publish' || current.privacyLevel !== posting.privacyLevel;
    if (posting.postingMode === 'publish' && raised) requirePublishScope(caller);
    const changed: AutomationRow = {
      ...current,
      status: body.status ?? current.status,
      postingTimes: body.postingTimes ?? current.postingTimes,
      timezone: body.timezone ?? current.timezone,
      brief: body.brief ? briefForFirings(current.format, body.brief) : current.brief,
      approvalMode: body.approvalMode ?? current.approvalMode,
      ...posting,
      updatedAt: now,
    };
    changed.nextFireAt = await planNextFiring(tx, current, changed, now);
    await writeAutomation(tx, changed);
    return changed;
  });
}

function changedPosting(current: AutomationRow, body: UpdateAutomationBody): Posting {
  const postingMode = body.postingMode ?? current.postingMode;
  if (body.privacyLevel !== undefined) return postingOf(postingMode, body.privacyLevel);
  return postingOf(postingMode, postingMode === 'publish' ? current.privacyLevel : undefined);
}

/** Slots of the old plan that are due already are settled before the new plan counts, so that none is lost. */
async function planNextFiring(
  tx: Transaction,
  current: AutomationRow,
  changed: AutomationRow,
  now: Date,
): Promise<Date | null> {
  if (changed.status === 'paused') return null;
  const isSamePlan =
    current.status === 'active' &&
    current.timezone === changed.timezone &&
    current.postingTimes === changed.postingTimes;
  if (isSamePlan) return current.nextFireAt;
  if (current.nextFireAt) await settleDueSlots(tx, [current], now);
  return nextSlot(changed, now);
}
