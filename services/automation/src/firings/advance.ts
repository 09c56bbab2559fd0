/** Applies facts about a firing's content and schedule. They may arrive in any order, and more than once. */

import { appendEvent } from '@hookline/shared/bus';
import { automationScheduleRequested } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { findKeysOfAutomation, lockAnyAutomation, updateAutomation } from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import {
  afterGeneration,
  canMove,
  type Failure,
  type FiringStatus,
  hasEnded,
  isAppGone,
  reasonOf,
} from './firing.rules.ts';
import { lockFiring, updateFiring } from './queries.ts';
import type { FiringRow } from './record.ts';

/** The firing that a fact is about, and the fact's time of arrival. */
export type FiringFact = { accountId: string; firingId: string; now: Date };

/**
 * Records the end of a generation: the firing waits for approval, or failed. An automation whose app is gone
 * is paused; the reason of the firing says why.
 * @param waitsBecause why a content that would be approved automatically waits for a person
 */
export async function recordGeneration(
  tx: Transaction,
  fact: FiringFact,
  automationId: string,
  contentId: string,
  failure: Failure | null,
  waitsBecause: string | null,
): Promise<void> {
  if (failure !== null && isAppGone(failure)) {
    // Before the firing's row, as everywhere.
    const automation = await lockAnyAutomation(tx, fact.accountId, automationId);
    if (automation?.status === 'active' && automation.deletedAt === null) {
      const paused = { ...automation, status: 'paused' as const, nextFireAt: null, updatedAt: fact.now };
      await updateAutomation(tx, paused, null);
    }
  }
  const firing = await lockFiring(tx, fact.accountId, fact.firingId);
  if (!firing) return;
  const known = { ...firing, contentId: firing.contentId ?? contentId };
  if (failure) await move(tx, known, 'failed', fact.now, reasonOf(failure));
  else if (waitsBecause !== null) await move(tx, known, 'awaiting_approval', fact.now, waitsBecause);
  else await move(tx, known, afterGeneration(firing.approvalMode), fact.now);
}

/**
 * Records an approval: requests the schedule for the slot, or for now if the slot is past
 * (docs/architecture.md). Nothing is scheduled for an automation that has since been deleted or paused
 * (D-46).
 */
export async function requestSchedule(
  tx: Transaction,
  fact: FiringFact,
  automationId: string,
  contentId: string,
): Promise<void> {
  // The automation's row is locked first, as everywhere: it orders the events of its key.
  const automation = await lockAnyAutomation(tx, fact.accountId, automationId);
  const firing = automation && (await lockFiring(tx, fact.accountId, fact.firingId));
  if (!firing || firing.scheduleRequestedAt || hasEnded(firing.status)) return;
  const known = { ...firing, contentId };
  if (automation.deletedAt || automation.status === 'paused') {
    const state = automation.deletedAt ? 'deleted' : 'paused';
    await move(tx, known, 'skipped', fact.now, `the automation was ${state} before the content was approved`);
    return;
  }
  await updateFiring(tx, { ...known, scheduleRequestedAt: fact.now }, fact.now);
  await appendScheduleRequest(tx, automation, firing, contentId, fact.now);
}

/**
 * Requests the firing's schedule. Scheduling creates one per firing, however often it is requested. A repeat
 * asks for the time of the first request, so that scheduling can tell one from before a restore.
 */
export async function appendScheduleRequest(
  tx: Transaction,
  automation: AutomationRow,
  firing: FiringRow,
  contentId: string,
  now: Date,
): Promise<void> {
  const askedAt = firing.scheduleRequestedAt ?? now;
  const scheduledFor = new Date(Math.max(firing.slot.getTime(), askedAt.getTime()));
  await appendEvent(tx, automationScheduleRequested, {
    accountId: automation.accountId,
    subject: automation.id,
    source: 'automation',
    at: now,
    data: {
      automationId: automation.id,
      firingId: firing.id,
      contentId,
      tiktokAccountId: automation.tiktokAccountId,
      scheduledFor: scheduledFor.toISOString(),
      mode: automation.postingMode === 'publish' ? 'publish' : 'draft',
      privacyLevel: automation.privacyLevel,
      keyIds: await findKeysOfAutomation(tx, automation.id),
    },
  });
}

/** Records a rejection. Once a schedule has been requested, the outcome of the schedule decides instead. */
export async function recordRejection(tx: Transaction, fact: FiringFact, contentId: string): Promise<void> {
  const firing = await lockFiring(tx, fact.accountId, fact.firingId);
  if (!firing || firing.scheduleRequestedAt) return;
  await move(tx, { ...firing, contentId }, 'skipped', fact.now, 'the content was rejected');
}

/** Records that the schedule of a firing was created or has ended. */
export async function recordSchedule(
  tx: Transaction,
  fact: FiringFact,
  status: 'scheduled' | 'done' | 'failed' | 'skipped',
  schedule: { contentId: string; scheduleId: string | null },
  reason: string | null = null,
): Promise<void> {
  const firing = await lockFiring(tx, fact.accountId, fact.firingId);
  if (!firing) return;
  const known = {
    ...firing,
    contentId: firing.contentId ?? schedule.contentId,
    scheduleId: firing.scheduleId ?? schedule.scheduleId,
  };
  await move(tx, known, status, fact.now, reason);
}

/** Writes the ids in any case, but the state only if it is a step forward. */
export async function move(
  tx: Transaction,
  firing: FiringRow,
  status: FiringStatus,
  now: Date,
  reason: string | null = null,
): Promise<void> {
  const moved = canMove(firing.status, status) ? { ...firing, status, reason } : firing;
  await updateFiring(tx, moved, now);
}
