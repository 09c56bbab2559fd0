/** Times that callers ask for. A firing's time is not checked: the bus may deliver it late. */
import { invalidRequest } from '@hookline/shared/contracts';
import { dayMs } from '@hookline/shared/kernel/durations';

const pastMaxMs = 60_000;
const aheadMaxMs = 365 * dayMs;

/** @throws ApiError `invalid_request` outside 60 s ago to 365 days ahead (D-8). */
export function readScheduledFor(text: string, now: Date): Date {
  const time = new Date(text);
  const aheadMs = time.getTime() - now.getTime();
  if (!(aheadMs >= -pastMaxMs)) throw invalidRequest('scheduledFor must not be more than 60 s in the past');
  if (aheadMs > aheadMaxMs) throw invalidRequest('scheduledFor must be at most 365 days ahead');
  return time;
}
