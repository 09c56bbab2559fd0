/** `POST /schedules`: dry run, idempotency, post now. */
import { ApiError, errorBody } from '@hookline/shared/contracts';
import { type CreateScheduleBody, createSchedule } from '@hookline/shared/contracts/schedules';
import { answerText, type Caller, jsonHeaders, RawAnswer, replayAnswer } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import {
  CommitUnknownError,
  claimKey,
  claimOrWait,
  completeKey,
  type KeyLease,
  releaseKey,
} from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { findSchedule, type NewSchedule, type ScheduleRow, toSchedule } from '../queries/schedules.ts';
import { readScheduledFor } from '../rules/schedule-time.ts';
import { checkSchedule, writeSchedule } from './create-schedule.ts';
import { awaitFirstAnswer, findImmediateError } from './post-now.ts';

export type CreateInput = {
  caller: Caller;
  body: CreateScheduleBody;
  query: { dryRun?: 'true' | 'false' | undefined };
  idempotencyKey: string | null;
  requestId: string;
};

// Longer than the checks (35 slides, creator info) and the 5 s of a post now.
const keyLeaseMs = 25_000;

export async function answerCreate(parts: Parts, input: CreateInput): Promise<RawAnswer> {
  const { idempotencyKey, caller, body, query } = input;
  if (query.dryRun === 'true') return await answerDryRun(parts, input);
  const newScheduleId = newId('schedule', parts.now().getTime());
  if (idempotencyKey === null) return await create(parts, input, newScheduleId, null);
  const scope = { accountId: caller.accountId, route: 'POST /schedules', key: idempotencyKey };
  const claim = await claimOrWait(parts.db, tx =>
    claimKey(tx, { ...scope, body, resourceId: newScheduleId, leaseMs: keyLeaseMs, now: parts.now() }),
  );
  if (claim.kind === 'replay') return replayAnswer(claim.status, claim.body);
  // Resumed after a crash: the row may be there, and is never made twice.
  const known = claim.isResumed && (await findSchedule(parts.db, caller.accountId, claim.resourceId));
  if (known) return await answerWritten(parts, input, known, claim.lease);
  try {
    return await create(parts, input, claim.resourceId, claim.lease);
  } catch (error) {
    // The row may still become visible: the key keeps its id until the lease ends, so that a repeat finds it.
    if (error instanceof CommitUnknownError) throw error;
    const written = await findSchedule(parts.db, caller.accountId, claim.resourceId);
    // What waits already is the row of this very key: an earlier request wrote it after its lease.
    const isOwn = error instanceof ApiError && error.code === 'already_scheduled';
    if (written && isOwn) return await answerWritten(parts, input, written, claim.lease);
    if (!written) await releaseKey(parts.db, claim.lease);
    throw error;
  }
}

async function create(
  parts: Parts,
  input: CreateInput,
  id: string,
  lease: KeyLease | null,
): Promise<RawAnswer> {
  const row = await check(parts, input, id);
  const written = await parts.db.transaction(async tx => {
    const inserted = await writeSchedule(tx, row);
    // A post now is answered, and stored, when the platform has spoken.
    if (lease && !row.isImmediate) await completeKey(tx, lease, { status: 201, body: textOf(inserted) });
    return inserted;
  });
  if (!row.isImmediate) return new RawAnswer(201, textOf(written), jsonHeaders);
  return await answerWritten(parts, input, written, lease);
}

/** Waits for a post now, and stores whatever is answered once the row exists (D-6 and D-43). */
async function answerWritten(
  parts: Parts,
  { caller, requestId }: CreateInput,
  written: ScheduleRow,
  lease: KeyLease | null,
): Promise<RawAnswer> {
  const row = written.isImmediate ? await awaitFirstAnswer(parts, caller.accountId, written.id) : written;
  const error = row.isImmediate ? await findImmediateError(parts, row) : null;
  const status = error?.status ?? 201;
  const text = error ? JSON.stringify(errorBody(error, requestId)) : textOf(row);
  if (lease) await parts.db.transaction(tx => completeKey(tx, lease, { status, body: text }));
  return new RawAnswer(status, text, jsonHeaders);
}

async function answerDryRun(parts: Parts, input: CreateInput): Promise<RawAnswer> {
  const row = await check(parts, input, '');
  const record = toSchedule(waiting(row));
  return new RawAnswer(200, answerText(createSchedule, { data: { ...record, id: null } }), jsonHeaders);
}

async function check(
  parts: Parts,
  { body, caller, requestId }: CreateInput,
  id: string,
): Promise<NewSchedule> {
  const { scheduledFor, ...rest } = body;
  const time = scheduledFor === undefined ? null : readScheduledFor(scheduledFor, parts.now());
  return await checkSchedule(parts, { id, caller, body: rest, scheduledFor: time, requestId, firing: null });
}

function waiting(row: NewSchedule): ScheduleRow {
  return {
    ...row,
    status: 'pending',
    outcome: null,
    failure: null,
    platformPostId: null,
    platformPostUrl: null,
    sentAt: null,
    heldSince: null,
    fence: 0,
    tries: 0,
    resends: 0,
    traceparent: null,
  };
}

function textOf(row: ScheduleRow): string {
  return answerText(createSchedule, { data: toSchedule(row) });
}
