/** Applies facts about a firing's content and schedule. They may arrive in any order, and more than once. */

import { appendEvent } from '@hookline/shared/bus';
import { nothingNew } from '@hookline/shared/contracts/content';
import { automationScheduleRequested, automationSkipped, type HooklineEvent } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import {
  clearNothingNew,
  findKeysOfAutomation,
  lockAnyAutomation,
  pauseAutomationsOf,
  updateAutomation,
} from '../automations/queries.ts';
import type { AutomationRow } from '../automations/record.ts';
import {
  afterGeneration,
  canMove,
  type Failure,
  type FiringStatus,
  hasEnded,
  isAppGone,
  reasonOf,
  stopOf,
} from './firing.rules.ts';
import { lockFiring, updateFiring } from './queries.ts';
import type { FiringRow } from './record.ts';
import { skippedEvent } from './settle.ts';

export type FactContext = { tx: Transaction; accountId: string; firingId: string; now: Date };

type Generation = {
  automationId: string;
  contentId: string;
  failure: Failure | null;
  /** Why a content that would be approved automatically waits for a person. */
  waitsBecause: string | null;
};

/** What the automations of a deleted account make could not be posted. */
export async function pauseForAccount(
  tx: Transaction,
  { accountId, subject: of }: Pick<HooklineEvent, 'accountId' | 'subject'>,
  now: Date,
): Promise<void> {
  await pauseAutomationsOf(tx, { accountId, of, now });
}

/** An automation whose app is gone is paused; the reason of the firing says why. */
export async function recordGeneration(
  ctx: FactContext,
  { automationId, contentId, failure, waitsBecause }: Generation,
): Promise<void> {
  const { tx, accountId, firingId, now } = ctx;
  // Every transaction that locks both locks the automation before the firing.
  if (failure !== null && isAppGone(failure))
    await pauseAutomationsOf(tx, { accountId, of: automationId, now });
  if (failure === null) await clearNothingNew(tx, automationId);
  const repeating =
    failure?.code === nothingNew ? await lockAnyAutomation(tx, accountId, automationId) : null;
  const firing = await lockFiring(tx, accountId, firingId);
  if (!firing) return;
  const generated = { ...firing, contentId: firing.contentId ?? contentId };
  if (failure && repeating) await skipRepeat(ctx, repeating, { ...generated, reason: reasonOf(failure) });
  else if (failure) await move(ctx, generated, 'failed', reasonOf(failure));
  else if (waitsBecause !== null) await move(ctx, generated, 'awaiting_approval', waitsBecause);
  else await move(ctx, generated, afterGeneration(firing.approvalMode));
}

/** The owners are told of the first since a deck was made. */
async function skipRepeat(
  { tx, now }: FactContext,
  automation: AutomationRow,
  firing: FiringRow,
): Promise<void> {
  if (!canMove(firing.status, 'skipped')) return;
  const skipped = { ...firing, status: 'skipped' as const };
  await updateFiring(tx, skipped, now);
  const isFirst = automation.nothingNewSince === null;
  if (isFirst) await updateAutomation(tx, { ...automation, nothingNewSince: now }, null);
  await appendEvent(
    tx,
    automationSkipped,
    skippedEvent(automation, { ...skipped, updatedAt: now }, now, isFirst),
  );
}

/**
 * Requests the schedule of an approved content for the slot, or for now if the slot is past. Nothing is scheduled for
 * an automation that has since been deleted or paused, or that may no longer approve what it approved (D-46).
 */
export async function requestSchedule(
  ctx: FactContext,
  /** `isByItself`: the automation approved the content. */
  {
    automationId,
    contentId,
    isByItself,
  }: Pick<Generation, 'automationId' | 'contentId'> & { isByItself: boolean },
): Promise<void> {
  const { tx, accountId, firingId, now } = ctx;
  const automation = await lockAnyAutomation(tx, accountId, automationId);
  const firing = automation && (await lockFiring(tx, accountId, firingId));
  if (!firing || firing.scheduleRequestedAt || hasEnded(firing.status)) return;
  const approved = { ...firing, contentId };
  const stopped = stopOf(automation, isByItself);
  if (stopped !== null) {
    await move(ctx, approved, 'skipped', `the automation was ${stopped} before the content was approved`);
    return;
  }
  await updateFiring(tx, { ...approved, scheduleRequestedAt: now }, now);
  await appendScheduleRequest(ctx, automation, approved);
}

/**
 * Scheduling creates one schedule per firing, however often it is requested. A repeat asks for the time of
 * the first request, so that scheduling can tell one from before a restore.
 */
export async function appendScheduleRequest(
  { tx, now }: Pick<FactContext, 'tx' | 'now'>,
  automation: AutomationRow,
  firing: FiringRow & { contentId: string },
): Promise<void> {
  const requestedAt = firing.scheduleRequestedAt ?? now;
  const scheduledFor = new Date(Math.max(firing.slot.getTime(), requestedAt.getTime()));
  await appendEvent(tx, automationScheduleRequested, {
    accountId: automation.accountId,
    subject: automation.id,
    source: 'automation',
    at: now,
    data: {
      automationId: automation.id,
      firingId: firing.id,
      contentId: firing.contentId,
      tiktokAccountId: automation.tiktokAccountId,
      scheduledFor: scheduledFor.toISOString(),
      mode: automation.postingMode === 'publish' ? 'publish' : 'draft',
      privacyLevel: automation.privacyLevel,
      keyIds: await findKeysOfAutomation(tx, automation.id),
    },
  });
}

/** Once a schedule has been requested, its outcome decides instead of the rejection. */
export async function recordRejection(ctx: FactContext, contentId: string): Promise<void> {
  const firing = await lockFiring(ctx.tx, ctx.accountId, ctx.firingId);
  if (!firing || firing.scheduleRequestedAt) return;
  await move(ctx, { ...firing, contentId }, 'skipped', 'the content was rejected');
}

export async function recordSchedule(
  ctx: FactContext,
  schedule: {
    status: 'scheduled' | 'done' | 'failed' | 'skipped';
    contentId: string;
    scheduleId: string | null;
    reason: string | null;
  },
): Promise<void> {
  const firing = await lockFiring(ctx.tx, ctx.accountId, ctx.firingId);
  if (!firing) return;
  const scheduled = {
    ...firing,
    contentId: firing.contentId ?? schedule.contentId,
    scheduleId: firing.scheduleId ?? schedule.scheduleId,
  };
  await move(ctx, scheduled, schedule.status, schedule.reason);
}

/** Writes the ids in any case, but the state only if it is a step forward. */
export async function move(
  { tx, now }: Pick<FactContext, 'tx' | 'now'>,
  firing: FiringRow,
  status: FiringStatus,
  reason: string | null = null,
): Promise<void> {
  const moved = canMove(firing.status, status) ? { ...firing, status, reason } : firing;
  await updateFiring(tx, moved, now);
}
