import { ApiError } from '@hookline/shared/contracts';
import type { SchedulingDeps } from '../deps.ts';
import { findSchedule } from '../schedules/queries.ts';
import type { ScheduleRow } from '../schedules/record.ts';
import { findSendProgress, hasAcceptedCall } from './queries.ts';

/** Waits at most 5 s (D-43). @returns the row afterwards; a refusal shows as `failed`. */
export async function awaitFirstAnswer(
  deps: SchedulingDeps,
  accountId: string,
  id: string,
): Promise<ScheduleRow> {
  const until = performance.now() + deps.timings.postNowWaitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 160)) {
    const progress = await findSendProgress(deps.db, id);
    if (progress !== 'open' || performance.now() + pauseMs > until) break;
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  const row = await findSchedule(deps.db, accountId, id);
  if (!row) throw new ApiError('not_found', 'The schedule was withdrawn in the meantime.');
  return row;
}

/** A post that the platform first accepted and later failed is no error of the request. */
export async function findImmediateError(deps: SchedulingDeps, row: ScheduleRow): Promise<ApiError | null> {
  if (row.status !== 'failed' || !row.failure) return null;
  if (await hasAcceptedCall(deps.db, row.id)) return null;
  const { code, category, message, platformMessage } = row.failure;
  const text = platformMessage ?? message;
  if (code === 'invalid_privacy_level') return new ApiError(code, text);
  if (category === 'platform_unavailable' && code === 'tiktok_create_failed') {
    return new ApiError(code, message, { status: 502 });
  }
  if (code === 'account_not_connected' || code === 'account_needs_reauth' || code === 'not_approved') {
    return new ApiError(code, message);
  }
  return row.mode === 'draft'
    ? new ApiError('tiktok_create_failed', text)
    : new ApiError('tiktok_publish_failed', text);
}
