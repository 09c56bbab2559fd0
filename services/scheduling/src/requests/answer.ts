import { appendEvent } from '@hookline/shared/bus';
import { ApiError } from '@hookline/shared/contracts';
import type { ScheduleMode } from '@hookline/shared/contracts/schedules';
import { scheduleRejected } from '@hookline/shared/events';
import { bareCaller } from '@hookline/shared/http';
import { isConnectionError } from '@hookline/shared/postgres';
import { findPlatformAccount } from '../accounts/queries.ts';
import { checkSchedule } from '../creating/check.ts';
import type { SchedulingDeps } from '../deps.ts';
import { unknownSince } from '../platform/failures.rules.ts';
import { findLastRestore } from '../restore/queries.ts';
import { nextTryMs } from '../schedules/lateness.rules.ts';
import { addSchedule } from '../schedules/transition.ts';
import { nextPollAt } from '../timings.ts';
import {
  answerScheduleRequest,
  claimScheduleRequest,
  findNextRequestMs,
  postponeScheduleRequest,
  type ScheduleRequest,
} from './queries.ts';

// A claim outlives all checks of one request, including slide downloads.
const claimedForMs = 60_000;

export async function answerNextRequest(deps: SchedulingDeps): Promise<true | Date | false> {
  const request = await claimScheduleRequest(deps.db, claimedForMs);
  if (!request) return nextPollAt(await findNextRequestMs(deps.db), Date.now());
  await answerRequest(deps, request);
  return true;
}

/**
 * Does once for a firing what `POST /schedules` does for a caller. The right to publish was checked when the
 * automation was created, changed or run (D-46, D-66).
 */
async function answerRequest(deps: SchedulingDeps, request: ScheduleRequest): Promise<void> {
  // Topics are replayed after a restore. A request from before it may already be posted, by rows that are
  // gone. Requests from after it have a later time.
  const restore = await findLastRestore(deps.db);
  if (restore && request.scheduledFor <= restore.restoredAt) {
    await rejectRequest(deps, request, unknownSince(restore.backupAt));
    return;
  }
  try {
    const row = await checkSchedule(deps, {
      id: request.scheduleId,
      caller: bareCaller({
        accountId: request.accountId,
        keyId: null,
        userId: null,
        scopes: ['schedules:write', 'schedules:publish'],
      }),
      body: {
        contentId: request.contentId,
        tiktokAccountId: request.platformAccountId,
        ...(await modeOf(deps, request)),
      },
      scheduledFor: request.scheduledFor,
      requestId: request.requestId,
      firing: { automationId: request.automationId, firingId: request.firingId, keyIds: request.keyIds },
    });
    await deps.db.transaction(async tx => {
      if (await answerScheduleRequest(tx, request.firingId)) await addSchedule(tx, row);
    });
  } catch (error) {
    await postponeOrReject(deps, request, error);
  }
}

/** A person posts what an automation sends to a phone. */
async function modeOf(
  { db }: Pick<SchedulingDeps, 'db'>,
  request: ScheduleRequest,
): Promise<{ mode?: ScheduleMode; privacyLevel?: string }> {
  const account = await findPlatformAccount(db, request.accountId, request.platformAccountId);
  return account?.kind === 'phone' ? {} : { mode: request.mode, ...privacyOf(request) };
}

// An automation that publishes without a level uses the least public one (D-11).
function privacyOf({ mode, privacyLevel }: ScheduleRequest): { privacyLevel?: string } {
  if (privacyLevel !== null) return { privacyLevel };
  return mode === 'publish' ? { privacyLevel: 'SELF_ONLY' } : {};
}

async function postponeOrReject(
  deps: SchedulingDeps,
  request: ScheduleRequest,
  error: unknown,
): Promise<void> {
  const isPassing =
    !(error instanceof ApiError) || isConnectionError(error) || [502, 503, 504].includes(error.status);
  // An outage ends, while a rejected firing leaves nothing that a person could retry.
  const pauseMs = isPassing
    ? nextTryMs({ ...request, tries: request.tries - 1 }, deps.timings, deps.now())
    : null;
  if (pauseMs !== null) {
    if (!(error instanceof ApiError)) deps.log.error({ err: error }, 'a schedule request failed');
    await postponeScheduleRequest(deps.db, request.firingId, pauseMs);
    return;
  }
  await rejectRequest(deps, request, error instanceof ApiError ? error : new ApiError('internal_error'));
}

async function rejectRequest(
  { db, now }: SchedulingDeps,
  request: ScheduleRequest,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const { firingId, automationId, contentId, accountId } = request;
  await db.transaction(async tx => {
    if (!(await answerScheduleRequest(tx, firingId))) return;
    await appendEvent(tx, scheduleRejected, {
      accountId,
      subject: request.scheduleId,
      source: 'scheduling',
      at: now(),
      data: { firingId, automationId, contentId, code, message },
    });
  });
}
