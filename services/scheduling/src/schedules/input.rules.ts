import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { ScheduleMode } from '@hookline/shared/contracts/schedules';
import { dayMs } from '@hookline/shared/kernel/durations';

const pastMaxMs = 60_000;
const aheadMaxMs = 365 * dayMs;

/**
 * A firing's time is not checked: the bus may deliver it late.
 * @throws ApiError `invalid_request` outside 60 s ago to 365 days ahead (D-8).
 */
export function readScheduledFor(text: string, now: Date): Date {
  const time = new Date(text);
  const aheadMs = time.getTime() - now.getTime();
  if (!(aheadMs >= -pastMaxMs)) throw invalidRequest('scheduledFor must not be more than 60 s in the past');
  if (aheadMs > aheadMaxMs) throw invalidRequest('scheduledFor must be at most 365 days ahead');
  return time;
}

const messages = {
  request: 'mode "publish" needs a key with the scope schedules:publish.',
  schedule: 'This schedule publishes: a key with the scope schedules:publish is needed.',
};

/** @throws ApiError `missing_scope` if a post would be published and the caller may only create drafts. */
export function requirePublishScope(
  of: keyof typeof messages,
  mode: ScheduleMode,
  { scopes }: { scopes: readonly string[] },
): void {
  if (mode === 'publish' && !scopes.includes('schedules:publish')) {
    throw new ApiError('missing_scope', messages[of]);
  }
}
