import { ApiError, errorBody } from '@hookline/shared/contracts';
import * as contracts from '@hookline/shared/contracts/schedules';
import {
  answerText,
  type Caller,
  jsonHeaders,
  RawAnswer,
  replayAnswer,
  routeOf,
} from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import {
  CommitUnknownError,
  claimKey,
  claimOrWait,
  completeKey,
  isUniqueViolation,
  type KeyLease,
  releaseKey,
} from '@hookline/shared/postgres';
import type { SchedulingDeps } from '../deps.ts';
import { readScheduledFor } from '../schedules/input.rules.ts';
import { findSchedule } from '../schedules/queries.ts';
import { asWaiting, type NewSchedule, type ScheduleRow, toScheduleWithPicture } from '../schedules/record.ts';
import { addSchedule } from '../schedules/transition.ts';
import { findNextSlot, takeNextSlot } from '../slots/find.ts';
import { checkSchedule } from './check.ts';
import { awaitFirstAnswer, findImmediateError } from './first-answer.ts';

export type CreateInput = {
  caller: Caller;
  body: contracts.CreateScheduleBody;
  query: { dryRun?: 'true' | 'false' | undefined };
  idempotencyKey: string | null;
  requestId: string;
};

// A lease outlives the checks (35 slides, creator info) and the 5 s of a post now.
const keyLeaseMs = 25_000;

export async function createSchedule(deps: SchedulingDeps, input: CreateInput): Promise<RawAnswer> {
  const { idempotencyKey, caller, body, query } = input;
  if (query.dryRun === 'true') return await dryRun(deps, input);
  const newScheduleId = newId('schedule', deps.now().getTime());
  if (idempotencyKey === null) return await create(deps, { ...input, id: newScheduleId, lease: null });
  const scope = {
    accountId: caller.accountId,
    route: routeOf(contracts.createSchedule, {}),
    key: idempotencyKey,
  };
  const claim = await claimOrWait(deps.db, tx =>
    claimKey(tx, { ...scope, body, resourceId: newScheduleId, leaseMs: keyLeaseMs, now: deps.now() }),
  );
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  // After a crash the row may exist, and must not be created twice.
  const existing = claim.isResumed && (await findSchedule(deps.db, caller.accountId, claim.resourceId));
  const creation = { ...input, id: claim.resourceId, lease: claim.lease };
  if (existing) return await answerWritten(deps, creation, existing);
  try {
    return await create(deps, creation);
  } catch (error) {
    // The row may still become visible. The key keeps its id until the lease ends, so that a retry finds it.
    if (error instanceof CommitUnknownError) throw error;
    const written = await findSchedule(deps.db, caller.accountId, claim.resourceId);
    // The schedule may be this key's own: of two requests one outlived its lease, and the other took over.
    const isWaiting = error instanceof ApiError && error.code === 'already_scheduled';
    const isOwn = isWaiting || isUniqueViolation(error, 'schedules_pkey');
    if (written && isOwn) return await answerWritten(deps, creation, written);
    if (!written) await releaseKey(deps.db, claim.lease);
    throw error;
  }
}

/** Without an idempotency key there is no lease. */
type Creation = CreateInput & { id: string; lease: KeyLease | null };

async function create(deps: SchedulingDeps, creation: Creation): Promise<RawAnswer> {
  const { lease } = creation;
  const row = await check(deps, creation, creation.id);
  const written = await deps.db.transaction(async tx => {
    const time = creation.body.slot ? { scheduledFor: await takeNextSlot(deps, tx, row) } : {};
    const inserted = await addSchedule(tx, { ...row, ...time });
    // A post now is answered, and its answer stored, once the platform has answered.
    if (lease && !row.isImmediate)
      await completeKey(tx, lease, { status: 201, body: textOf(deps, inserted) });
    return inserted;
  });
  if (!row.isImmediate) return new RawAnswer(201, textOf(deps, written), jsonHeaders);
  return await answerWritten(deps, creation, written);
}

/** Any answer is stored once the row exists (D-6 and D-43). */
async function answerWritten(
  deps: SchedulingDeps,
  { caller, requestId, lease }: Creation,
  written: ScheduleRow,
): Promise<RawAnswer> {
  const row = written.isImmediate ? await awaitFirstAnswer(deps, caller.accountId, written.id) : written;
  const error = row.isImmediate ? await findImmediateError(deps, row) : null;
  const status = error?.status ?? 201;
  const text = error ? JSON.stringify(errorBody(error, requestId)) : textOf(deps, row);
  if (lease) await deps.db.transaction(tx => completeKey(tx, lease, { status, body: text }));
  return new RawAnswer(status, text, jsonHeaders);
}

async function dryRun(deps: SchedulingDeps, input: CreateInput): Promise<RawAnswer> {
  const checked = await check(deps, input, '');
  const time = input.body.slot ? { scheduledFor: await findNextSlot(deps, deps.db, checked) } : {};
  const record = toScheduleWithPicture(asWaiting({ ...checked, ...time }), deps);
  return new RawAnswer(
    200,
    answerText(contracts.createSchedule, { data: { ...record, id: null } }),
    jsonHeaders,
  );
}

async function check(
  deps: SchedulingDeps,
  { body, caller, requestId }: CreateInput,
  id: string,
): Promise<NewSchedule> {
  const { scheduledFor: time, slot, ...rest } = body;
  // The slot is found last, so that no check delays those who wait for its lock.
  const whenSlot = slot ? deps.now() : null;
  const scheduledFor = time === undefined ? whenSlot : readScheduledFor(time, deps.now());
  return await checkSchedule(deps, { id, caller, body: rest, scheduledFor, requestId, firing: null });
}

function textOf(deps: SchedulingDeps, row: ScheduleRow): string {
  return answerText(contracts.createSchedule, { data: toScheduleWithPicture(row, deps) });
}
