/** When a schedule is sent: the one place that knows what a missing time means. */
import { invalidRequest } from '@hookline/shared/contracts';

const pastMaxMs = 60_000;
const aheadMaxMs = 365 * 86_400_000;

/** Immediate: posted within the request, as soon as its checks are done. */
export type ScheduleTime = { isImmediate: true } | { isImmediate: false; scheduledFor: Date };

/** Of a request to create. Without a time the post is sent now. @throws ApiError `invalid_request` */
export function requestedTime(text: string | undefined, now: Date): ScheduleTime {
  return text === undefined ? { isImmediate: true } : plannedTime(readScheduledFor(text, now));
}

export function plannedTime(scheduledFor: Date): ScheduleTime {
  return { isImmediate: false, scheduledFor };
}

/** @param now when the row is written. */
export function scheduledForOf(time: ScheduleTime, now: Date): Date {
  return time.isImmediate ? now : time.scheduledFor;
}

/** @throws ApiError `invalid_request` outside 60 s ago to 365 days ahead (D-8). */
export function readScheduledFor(text: string, now: Date): Date {
  const time = new Date(text);
  const aheadMs = time.getTime() - now.getTime();
  if (!(aheadMs >= -pastMaxMs)) throw invalidRequest('scheduledFor must not be more than 60 s in the past');
  if (aheadMs > aheadMaxMs) throw invalidRequest('scheduledFor must be at most 365 days ahead');
  return time;
}

/**
 * Of an automation's firing. D-8 does not apply: the automation computed the time, and an event that the bus
 * delivers late still asks for its schedule.
 */
export function slotTime(text: string): Date {
  return new Date(text);
}
