import { dayMs, hourMs } from '@hookline/shared/kernel/durations';

/** Times of the posting protocol. Fixed in production; tests shorten them. */
export type Timings = {
  /** Lifetime of a claim without renewal. Afterwards a dead worker's schedule is taken over (goal: 10 s). */
  leaseMs: number;
  leaseRenewalMs: number;
  /** Longest wait for the platform's answer to one call. */
  callTimeoutMs: number;
  /** Longest wait of a request without `scheduledFor` (D-43). */
  postNowWaitMs: number;
  /** After this a post with an open outcome ends as `outcome_unknown`. The platform may pull for an hour. */
  settleWithinMs: number;
  /** Pause between two polls of a post that ended as `outcome_unknown` although its publish id is known. */
  pollAgainMs: number;
  /** How long after the call such polls continue. The platform repeats its webhooks for 72 hours. */
  pollAgainForMs: number;
  /** First pauses before a post is sent again automatically; later ones grow with its age. */
  resendPausesMs: readonly number[];
  /** How long after `scheduledFor` a post may still go out: POST_LATE_MAX_MINUTES. */
  lateMaxMs: number;
  /** Longest pause between two tries or resends. */
  tryPauseMaxMs: number;
  /** Longest wait of a sender that starts for a bus that does not answer. */
  busWithinMs: number;
  /** How long an unapproved edit may hold a schedule past its time. */
  holdMs: number;
  /** First pause between status calls; doubles up to 60 s. */
  firstPollMs: number;
  /** Poll interval of every worker, in case a notification is lost. */
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
  // Long enough for a restart, and everything is settled within two minutes of the end of a short trouble.
  resendPausesMs: [30_000, 60_000],
  lateMaxMs: 2 * hourMs,
  tryPauseMaxMs: 300_000,
  // A broker that starts together with the sender answers within it.
  busWithinMs: 30_000,
  holdMs: dayMs,
  firstPollMs: 1_000,
  pollMs: 5_000,
};

/** Calls per minute and user token at the platform. */
export const initsPerMinute = 6;
export const statusCallsPerMinute = 30;

/**
 * The next run of a worker loop: a date at the latest, or false to wait for a wake-up.
 * @param inMs null if nothing waits.
 */
export function nextPollAt(inMs: number | null, processNowMs: number): Date | false {
  return inMs === null ? false : new Date(processNowMs + Math.max(0, Math.ceil(inMs)));
}
