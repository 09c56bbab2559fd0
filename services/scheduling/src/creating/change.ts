/** A waiting schedule is changed under the checks of its creation. */
import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { UpdateScheduleBody } from '@hookline/shared/contracts/schedules';
import type { Caller } from '@hookline/shared/http';
import type { SchedulingDeps } from '../deps.ts';
import { lockChangeable, moveSchedule } from '../schedules/change.ts';
import { readScheduledFor, requirePublishScope } from '../schedules/input.rules.ts';
import { findSchedule, setOwnFields } from '../schedules/queries.ts';
import type { NewSchedule, ScheduleRow } from '../schedules/record.ts';
import { requireOwnersChange } from '../schedules/states.rules.ts';
import { rewriteSchedule } from '../schedules/transition.ts';
import { takeNextSlot } from '../slots/find.ts';
import { checkSchedule, type ScheduleOrder } from './check.ts';

type Change = { caller: Caller; id: string; requestId: string };

/**
 * @throws ApiError as a creation or a move does; 409 `invalid_request` when somebody else changed the schedule
 * between the checks and the write
 */
export async function changeSchedule(
  deps: SchedulingDeps,
  { caller, id, requestId }: Change,
  { scheduledFor: time, slot, ...fields }: UpdateScheduleBody,
): Promise<ScheduleRow> {
  if (time !== undefined && Object.keys(fields).length === 0) {
    return await moveSchedule(deps, { caller, id }, time);
  }
  const { externalId, metadata, ...posted } = fields;
  if (time === undefined && slot === undefined && Object.keys(posted).length === 0) {
    return await deps.db.transaction(async tx => {
      const row = await lockChangeable(tx, { caller, id });
      return await setOwnFields({ tx, now: deps.now() }, id, readOwnFields({ externalId, metadata }, row));
    });
  }
  // A slot is found last, so that no check delays those who wait for its lock.
  const whenSlot = slot ? deps.now() : null;
  const scheduledFor = time === undefined ? whenSlot : readScheduledFor(time, deps.now());
  const replaces = await findSchedule(deps.db, caller.accountId, id);
  if (!replaces) throw notFound('schedule');
  requireOwnersChange('moved', replaces);
  requirePublishScope('schedule', replaces.mode, caller);
  const checked = await checkSchedule(deps, {
    ...{ id, caller, requestId, firing: null, replaces },
    scheduledFor: scheduledFor ?? replaces.scheduledFor,
    body: bodyAfter(replaces, fields),
  });
  if (checked.mode !== 'phone') requireTimely(deps, replaces, scheduledFor);
  return await deps.db.transaction(async tx => {
    const row = await lockChangeable(tx, { caller, id });
    if (row.updatedAt.getTime() !== replaces.updatedAt.getTime()) {
      const message = 'The schedule was changed in the meantime; send the change again.';
      throw invalidRequest(message, { status: 409, retryAfterSeconds: 1 });
    }
    // A sender also locks the schedule before its account.
    const when = slot && { scheduledFor: await takeNextSlot(deps, tx, checked) };
    const after = {
      ...checked,
      ...when,
      ...keptTexts(row, fields),
      aiGenerated: fields.aiGenerated ?? row.aiGenerated,
    };
    const what = Object.keys({ ...fields, ...(scheduledFor && { scheduledFor }) }).join(', ');
    return await rewriteSchedule({ tx, now: deps.now() }, row, after, what);
  });
}

/** A person may post days late; what is sent by itself would end as missed. */
function requireTimely(
  { now, timings }: Pick<SchedulingDeps, 'now' | 'timings'>,
  { mode, scheduledFor }: ScheduleRow,
  given: Date | null,
): void {
  const isLate = now().getTime() > scheduledFor.getTime() + timings.lateMaxMs;
  if (mode === 'phone' && given === null && isLate) {
    throw invalidRequest('scheduledFor is required: the present time is too long ago for this account');
  }
}

type Fields = Omit<UpdateScheduleBody, 'scheduledFor' | 'slot'>;

/** Given texts and the AI label need a power only where they change. */
function bodyAfter(row: ScheduleRow, fields: Fields): ScheduleOrder['body'] {
  const { title, description, privacyLevel = row.privacyLevel, ...others } = fields;
  const { contentId, disableComment, brandOrganic, brandedContent, autoAddMusic, externalId, metadata } = row;
  return {
    ...{ contentId, disableComment, brandOrganic, brandedContent, autoAddMusic, externalId, metadata },
    ...others,
    tiktokAccountId: fields.tiktokAccountId ?? row.platformAccountId,
    title: title ?? undefined,
    description: description ?? undefined,
    privacyLevel: privacyLevel ?? undefined,
  };
}

/** `null` goes back to the text of the content. */
function keptTexts(row: ScheduleRow, fields: Fields): Partial<NewSchedule> {
  const { title, description, hasOwnTitle, hasOwnDescription } = row;
  return {
    ...(fields.title === undefined && hasOwnTitle && { title, hasOwnTitle }),
    ...(fields.description === undefined && hasOwnDescription && { description, hasOwnDescription }),
  };
}
