import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import { scheduleRejected } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { isConnectionError } from '@hookline/shared/postgres';
import type { Parts } from '../parts.ts';
import { findLastRestore } from '../queries/restores.ts';
import {
  answerScheduleRequest,
  postponeScheduleRequest,
  type ScheduleRequest,
} from '../queries/schedule-requests.ts';
import { findScheduleOfFiring } from '../queries/schedules.ts';
import { unknownSince } from '../rules/failures.ts';
import { nextTryMs } from '../rules/try-again.ts';
import { checkSchedule, writeSchedule } from './create-schedule.ts';

/**
 * Does for a firing what `POST /schedules` does for a caller, once: `schedule.created`, or `schedule.rejected` with the
 * code. The right to publish was checked when the automation was made (D-46).
 */
export async function answerRequest(parts: Parts, request: ScheduleRequest): Promise<void> {
  // Topics are replayed after a restore: what was asked for before it may be posted, by rows that are gone. What is
  // asked for since has a later time.
  const restore = await findLastRestore(parts.db);
  if (restore && request.scheduledFor <= restore.restoredAt) {
    const { code, message } = unknownSince(restore.backupAt);
    await parts.db.transaction(tx => tellRejected(tx, parts.now(), request, code, message));
    return;
  }
  try {
    const row = await checkSchedule(parts, {
      id: request.scheduleId,
      caller: {
        accountId: request.accountId,
        keyId: null,
        userId: null,
        scopes: ['schedules:write', 'schedules:publish'],
      },
      body: {
        contentId: request.contentId,
        tiktokAccountId: request.platformAccountId,
        mode: request.mode,
        ...privacyOf(request),
      },
      scheduledFor: request.scheduledFor,
      requestId: request.requestId,
      firing: { automationId: request.automationId, firingId: request.firingId },
    });
    await parts.db.transaction(async tx => {
      if (!(await answerScheduleRequest(tx, request.firingId))) return;
      if (await findScheduleOfFiring(tx, request.firingId)) return;
      await writeSchedule(tx, row);
    });
  } catch (error) {
    await reject(parts, request, error);
  }
}

// D-11: an automation that publishes without a level uses the least public one.
function privacyOf({ mode, privacyLevel }: ScheduleRequest): { privacyLevel?: string } {
  if (privacyLevel !== null) return { privacyLevel };
  return mode === 'publish' ? { privacyLevel: 'SELF_ONLY' } : {};
}

async function reject(parts: Parts, request: ScheduleRequest, error: unknown): Promise<void> {
  const isPassing =
    !(error instanceof ApiError) || isConnectionError(error) || [502, 503, 504].includes(error.status);
  // An outage ends, and a firing that was rejected for it leaves nothing that a person could retry.
  const pauseMs = isPassing
    ? nextTryMs({ ...request, tries: request.tries - 1 }, parts.timings, parts.now())
    : null;
  if (pauseMs !== null) {
    if (!(error instanceof ApiError)) parts.log.error({ err: error }, 'a schedule request met a fault');
    await postponeScheduleRequest(parts.db, request.firingId, pauseMs);
    return;
  }
  const { code, message } = error instanceof ApiError ? error : new ApiError('internal_error');
  await parts.db.transaction(tx => tellRejected(tx, parts.now(), request, code, message));
}

async function tellRejected(
  tx: Transaction,
  at: Date,
  request: ScheduleRequest,
  code: string,
  message: string,
): Promise<void> {
  if (!(await answerScheduleRequest(tx, request.firingId))) return;
  const { firingId, automationId, contentId, accountId } = request;
  await appendEvent(tx, scheduleRejected, {
    accountId,
    subject: request.scheduleId,
    source: 'scheduling',
    at,
    data: { firingId, automationId, contentId, code, message },
  });
}
