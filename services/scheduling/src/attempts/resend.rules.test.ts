import { describe, expect, it } from 'vitest';
import { tiktokReasons } from '../platform/tiktok-reasons.ts';
import { findResend } from './resend.rules.ts';

const timings = {
  ...{ resendPausesMs: [30_000, 60_000], lateMaxMs: 7_200_000, holdMs: 86_400_000, tryPauseMaxMs: 300_000 },
};
const scheduledFor = new Date('2026-11-21T09:00:00Z');
const after = (ms: number): Date => new Date(scheduledFor.getTime() + ms);
const carrier = { reasons: tiktokReasons };
const pauseOf = (reason: string, resends = 0, lateMs = 10_000): number | undefined =>
  findResend(carrier, reason, { resends, scheduledFor }, timings, after(lateMs))?.pauseMs;

describe('a call that the platform ended as failed', () => {
  it('a failed call is made again after a tenth of its lateness, from one minute to five', () => {
    const lateMinutes = [0, 1, 3, 10, 20, 50, 60, 110];
    expect(lateMinutes.map((late, resends) => pauseOf('photo_pull_failed', resends, late * 60_000))).toEqual([
      30_000, 60_000, 60_000, 60_000, 120_000, 300_000, 300_000, 300_000,
    ]);
  });

  it('a failed call is made a last time at the end of the two hours', () => {
    expect(pauseOf('internal', 9, 7_200_000 - 300_000)).toBe(300_000);
    expect(pauseOf('internal', 9, 7_200_000 - 10_000)).toBe(10_000);
    expect(pauseOf('internal', 9, 7_200_000)).toBeUndefined();
    expect(pauseOf('internal', 9, 7_200_001)).toBeUndefined();
  });

  it('a post survives every outage of less than two hours', () => {
    let [lateMs, calls] = [0, 1];
    for (let pauseMs = pauseOf('internal', 0, 0); pauseMs; pauseMs = pauseOf('internal', calls - 1, lateMs)) {
      lateMs += pauseMs;
      calls += 1;
    }
    expect(lateMs).toBe(7_200_000);
    expect(calls).toBeLessThan(50);
  });

  it.each(['photo_pull_failed', 'internal'])('the failure %s passes', reason => {
    expect(pauseOf(reason)).toBe(30_000);
  });

  it.each([
    'file_format_check_failed',
    'picture_size_check_failed',
    'publish_cancelled',
    'auth_removed',
    'spam_risk',
    'spam_risk_text',
    'spam_risk_too_many_posts',
    'spam_risk_user_banned_from_posting',
    'a_reason_of_next_year',
    'constructor',
    '',
  ])('the failure %s is final', reason => {
    expect(pauseOf(reason)).toBeUndefined();
  });

  it('a failed call is not made again later than two hours after its time', () => {
    expect(pauseOf('internal', 0, 7_200_000 - 30_000)).toBe(30_000);
    expect(pauseOf('internal', 0, 7_200_000 - 10_000)).toBe(10_000);
    expect(pauseOf('internal', 0, 7_200_000)).toBeUndefined();
    expect(pauseOf('internal', 1, 7_200_001)).toBeUndefined();
  });

  it('a failed call of a post that was held is made again until a day after its time', () => {
    const hoursAfter = (hours: number) => after(hours * 3_600_000);
    const run = { resends: 0, scheduledFor, heldSince: scheduledFor };
    const resends = [5, 24].map(hours => findResend(carrier, 'internal', run, timings, hoursAfter(hours)));
    expect(resends.map(resend => resend?.pauseMs)).toEqual([30_000, undefined]);
  });

  it('a resend is explained in a plain sentence', () => {
    expect(
      findResend(carrier, 'photo_pull_failed', { resends: 1, scheduledFor }, timings, after(0))?.why,
    ).toBe(
      'TikTok could not download the slides, and no post was made (photo_pull_failed). It will be sent again in 60 s (attempt 3). Retries end at 2026-11-21T11:00:00.000Z.',
    );
  });
});
