import { dayMs } from '@hookline/shared/kernel/durations';
import { describe, expect, it } from 'vitest';
import { isFailingTooLong, nextPauseMs, readRetryAfterMs, retryPausesMs } from './retry-plan.rules.ts';

const failed = (
  attemptsMade: number,
  responseStatus: number | null = 500,
  retryAfterMs: number | null = null,
) => ({
  attemptsMade,
  responseStatus,
  retryAfterMs,
});

describe('nextPauseMs', () => {
  it('ten attempts take about 75 h', () => {
    expect(nextPauseMs(failed(9), 0.5)).toBe(dayMs);
    const total = retryPausesMs.reduce((sum, pause) => sum + pause, 0);
    expect(total / 3_600_000).toBeCloseTo(75.58, 1);
    expect(nextPauseMs(failed(10), 0.5)).toBeNull();
  });

  it('each pause varies by at most a tenth', () => {
    retryPausesMs.forEach((pause, index) => {
      expect(nextPauseMs(failed(index + 1), 0)).toBe(Math.round(pause * 0.9));
      expect(nextPauseMs(failed(index + 1), 0.5)).toBe(pause);
      expect(nextPauseMs(failed(index + 1), 1)).toBe(Math.round(pause * 1.1));
    });
  });

  it('Retry-After is honored up to 24 h, and never makes an attempt sooner', () => {
    expect(nextPauseMs(failed(1, 503, 120_000), 0.5)).toBe(120_000);
    expect(nextPauseMs(failed(4, 503, 1_000), 0.5)).toBe(2 * 3_600_000);
    expect(nextPauseMs(failed(1, 503, 1e12), 0.5)).toBe(24 * 3_600_000);
  });

  it('attempts after 429, 502 and 504 are at least a minute apart', () => {
    for (const status of [429, 502, 504]) expect(nextPauseMs(failed(1, status), 0.5)).toBe(60_000);
    expect(nextPauseMs(failed(1, 500), 0.5)).toBe(5_000);
  });
});

describe('readRetryAfterMs', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  it('Retry-After is read as seconds or as a date, and otherwise ignored', () => {
    expect(readRetryAfterMs('30', now)).toBe(30_000);
    expect(readRetryAfterMs('Sat, 21 Nov 2026 09:01:00 GMT', now)).toBe(60_000);
    expect(readRetryAfterMs('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
    expect(readRetryAfterMs('soon', now)).toBeNull();
    expect(readRetryAfterMs(undefined, now)).toBeNull();
  });
});

describe('isFailingTooLong', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const since = new Date('2026-11-16T09:00:00Z');
  const hoursAgo = (...hours: number[]): Date[] =>
    hours.map(ago => new Date(now.getTime() - ago * 3_600_000));
  const daysAgo = (...days: number[]): Date[] =>
    days.map(ago => new Date(Date.UTC(2026, 10, 21) - ago * dayMs));

  it('an endpoint fails too long after 5 days with a failure on each of the last five', () => {
    const failures = { times: hoursAgo(0, 24, 48, 72, 96), days: daysAgo(0, 1, 2, 3, 4) };
    expect(isFailingTooLong({ since, ...failures }, now)).toBe(true);
    expect(isFailingTooLong({ since: new Date('2026-11-16T09:00:01Z'), ...failures }, now)).toBe(false);
  });

  it('an endpoint fails too long after 5 days with five failures within 48 h', () => {
    const days = daysAgo(0, 5);
    expect(isFailingTooLong({ since, times: hoursAgo(0, 1, 2, 3, 48), days }, now)).toBe(true);
    expect(isFailingTooLong({ since, times: hoursAgo(0, 1, 2, 3, 49), days }, now)).toBe(false);
  });

  it('an endpoint does not fail too long by one failure after days without an attempt', () => {
    const failures = { times: hoursAgo(0, 120, 120, 120, 121), days: daysAgo(0, 5) };
    expect(isFailingTooLong({ since, ...failures }, now)).toBe(false);
  });
});
