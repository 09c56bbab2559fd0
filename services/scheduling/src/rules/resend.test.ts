import { describe, expect, it } from 'vitest';
import { findResend } from './resend.ts';

const timings = { resendPausesMs: [30_000, 60_000], resendWithinMs: 7_200_000 };
const scheduledFor = new Date('2026-11-21T09:00:00Z');
const after = (ms: number): Date => new Date(scheduledFor.getTime() + ms);
const pauseOf = (reason: string, resends = 0, lateMs = 10_000): number | undefined =>
  findResend(reason, { resends, scheduledFor }, timings, after(lateMs))?.pauseMs;

describe('a call that the platform ended as failed', () => {
  it('is made again twice, with growing pauses, then no more', () => {
    expect([0, 1, 2, 3].map(resends => pauseOf('photo_pull_failed', resends))).toEqual([
      30_000,
      60_000,
      undefined,
      undefined,
    ]);
  });

  it.each(['photo_pull_failed', 'internal'])('%s: passes', reason => {
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
  ])('%s: stands', reason => {
    expect(pauseOf(reason)).toBeUndefined();
  });

  it('is not made again later than two hours after its time', () => {
    expect(pauseOf('internal', 0, 7_200_000 - 30_000)).toBe(30_000);
    expect(pauseOf('internal', 0, 7_200_000 - 29_999)).toBeUndefined();
    expect(pauseOf('internal', 1, 7_200_000 - 30_000)).toBeUndefined();
  });

  it('is explained in a plain sentence', () => {
    expect(findResend('photo_pull_failed', { resends: 1, scheduledFor }, timings, after(0))?.why).toBe(
      'TikTok could not download the slides, and no post was made (photo_pull_failed). It is sent again in 60 s, try 3 of 3.',
    );
  });
});
