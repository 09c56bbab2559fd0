import { dayMs, hourMs } from '@hookline/shared/kernel/durations';

/** The times of the posting protocol are fixed in production; tests shorten them. */
export type Timings = {
  /** A dead worker's schedule is taken over when its claim was not renewed for so long (goal: 10 s). */
  leaseMs: number;
  leaseRenewalMs: number;
  callTimeoutMs: number;
  /** A request without `scheduledFor` waits at most so long (D-43). */
  postNowWaitMs: number;
  /** Then an open outcome ends as `outcome_unknown`. The platform may pull for an hour. */
  settleWithinMs: number;
  /** A post that ended as `outcome_unknown`, with a publish id, is polled in these pauses. */
  pollAgainMs: number;
  /** Such polls end so long after the call. The platform repeats its webhooks for 72 hours. */
  pollAgainForMs: number;
  /** Later pauses before a post is sent again grow with its age. */
  resendPausesMs: readonly number[];
  /** POST_LATE_MAX_MINUTES is how long after `scheduledFor` a post may still go out. */
  lateMaxMs: number;
  /** Neither tries nor resends pause longer. */
  tryPauseMaxMs: number;
  /** A sender that starts waits so long for a bus that does not answer. */
  busWithinMs: number;
  /** An unapproved edit may hold a schedule past its time for so long. */
  holdMs: number;
  /** The first pause between status calls doubles up to 60 s. */
  firstPollMs: number;
  /** Workers poll in case a notification is lost. */
  pollMs: number;
};

export const defaultTimings: Timings = {
  leaseMs: 8_000,
  leaseRenewalMs: 2_000,
  callTimeoutMs: 10_000,
  postNowWaitMs: 5_000,
  settleWithinMs: 70 * 60_000,
  pollAgainMs: hourMs,
  pollAgainForMs: 72 * hourMs,
  // A restart fits in, and everything is settled within two minutes of the end of a short trouble.
  resendPausesMs: [30_000, 60_000],
  lateMaxMs: 2 * hourMs,
  tryPauseMaxMs: 300_000,
  // A broker that starts together with the sender answers within it.
  busWithinMs: 30_000,
  holdMs: dayMs,
  firstPollMs: 1_000,
  pollMs: 5_000,
};

/** The platform allows so many calls per minute and user token. */
export const initsPerMinute = 6;
export const statusCallsPerMinute = 30;

/** @returns when a worker runs next at the latest, or false to wait for a wake-up: nothing waits. */
export function nextPollAt(inMs: number | null, processNowMs: number): Date | false {
  return inMs === null ? false : new Date(processNowMs + Math.max(0, Math.ceil(inMs)));
}
