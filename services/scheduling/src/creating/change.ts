/** What a waiting schedule posts is changed under the checks of its creation. */
import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { readOwnFields } from '@hookline/shared/contracts/own-fields';
import type { UpdateScheduleBody } from '@hookline/shared/contracts/schedules';
import type { Caller } from '@hookline/shared/http';
import type { Transaction } from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { lockChangeable } from '../schedules/change.ts';
import { readScheduledFor, requirePublishScope } from '../schedules/input.rules.ts';
import { findSchedule, setOwnFields } from '../schedules/queries.ts';
import type { NewSchedule, ScheduleRow } from '../schedules/record.ts';
import { requireOwnersChange } from '../schedules/states.rules.ts';
import { postponeSchedule, rewriteSchedule } from '../schedules/transition.ts';
import { takeNextSlot } from '../slots/find.ts';
import { checkSchedule, type ScheduleOrder } from './check.ts';

type Change = { caller: Caller; id: string; requestId: string };
type Fields = Omit<UpdateScheduleBody, 'scheduledFor' | 'slot'>;

/** @throws ApiError as a creation or a move does; 409 `invalid_request` as `lockUnchanged` does */
export function changeSchedule(
  deps: SchedulingDeps,
  change: Change,
  body: UpdateScheduleBody,
): Promise<ScheduleRow> {
  const { scheduledFor, slot, externalId, metadata, ...posted } = body;
  return Object.keys(posted).length === 0 ? changePlan(deps, change, body) : changePost(deps, change, body);
}

/** A time alone needs no approval: the sender asks for it. */
function changePlan(
  deps: SchedulingDeps,
  change: Change,
  { scheduledFor: time, slot, ...own }: UpdateScheduleBody,
): Promise<ScheduleRow> {
  const now = deps.now();
  const given = time === undefined ? null : readScheduledFor(time, now);
  return deps.db.transaction(async tx => {
    let row = await lockChangeable(tx, change);
    const scheduledFor = slot ? await takeNextSlot(deps, tx, row) : given;
    if (scheduledFor) {
      row = await postponeSchedule({ tx, now }, row, { scheduledFor, keyId: change.caller.keyId });
    }
    if (Object.keys(own).length === 0) return row;
    return await setOwnFields({ tx, now }, change.id, readOwnFields(own, row));
  });
}

/** A slot is found last, so that no check delays those who wait for its lock. */
async function changePost(
  deps: SchedulingDeps,
  change: Change,
  { scheduledFor: time, slot, ...fields }: UpdateScheduleBody,
): Promise<ScheduleRow> {
  const whenSlot = slot ? deps.now() : null;
  const scheduledFor = time === undefined ? whenSlot : readScheduledFor(time, deps.now());
  const replaces = await findReplaced(deps, change);
  const checked = await checkSchedule(deps, {
    ...{ ...change, firing: null, replaces },
    scheduledFor: scheduledFor ?? replaces.scheduledFor,
    body: bodyAfter(replaces, fields),
  });
  if (checked.mode !== 'phone') requireTimely(deps, replaces, scheduledFor);
  return await deps.db.transaction(async tx => {
    const row = await lockUnchanged(tx, change, replaces);
    // A sender also locks the schedule before its account.
    const when = slot && { scheduledFor: await takeNextSlot(deps, tx, checked) };
    const after = {
      ...checked,
      ...when,
      ...keptTexts(row, fields),
      // An experiment may have begun since the check.
      isCompared: checked.isCompared || row.isCompared,
      aiGenerated: fields.aiGenerated ?? row.aiGenerated,
    };
    const what = Object.keys({ ...fields, ...(scheduledFor && { scheduledFor }) }).join(', ');
    return await rewriteSchedule({ tx, now: deps.now() }, row, after, what);
  });
}

async function findReplaced({ db }: SchedulingDeps, { caller, id }: Change): Promise<ScheduleRow> {
  const row = await findSchedule(db, caller.accountId, id);
  if (!row) throw notFound('schedule');
  requireOwnersChange('moved', row);
  requirePublishScope('schedule', row.mode, caller);
  return row;
}

/** @throws ApiError 409 `invalid_request` when somebody else changed the schedule after its checks */
async function lockUnchanged(tx: Transaction, change: Change, checked: ScheduleRow): Promise<ScheduleRow> {
  const row = await lockChangeable(tx, change);
  if (row.updatedAt.getTime() === checked.updatedAt.getTime()) return row;
  const message = 'The schedule was changed in the meantime; send the change again.';
  throw invalidRequest(message, { status: 409, retryAfterSeconds: 1 });
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
