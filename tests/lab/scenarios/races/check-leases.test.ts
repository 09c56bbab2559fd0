import { expect, it } from 'vitest';
import type { AuditRow } from '../../kit/checks/audit.ts';
import type { PlatformCall } from '../../kit/checks/platform-log.ts';
import { checkLeases } from './check-leases.ts';

let seq = 0;
const row = (atMs: number, app: string, kind: AuditRow['kind'], change: Partial<AuditRow> = {}): AuditRow => {
  seq += 1;
  return { seq, atMs, app, kind, scheduleId: 's', fence: null, what: null, ...change };
};

/** `a` claims and calls, dies or stops at 100; `b` takes over at 8,100 and calls again. */
function takenOver(): { audit: AuditRow[]; calls: PlatformCall[] } {
  const begin = (atMs: number, app: string, fence: number, digest: string): AuditRow[] => [
    row(atMs, app, 'claim', { fence }),
    row(atMs + 10, app, 'attempt', { fence, what: digest }),
    row(atMs + 11, app, 'timeline', { what: 'attempt_started' }),
  ];
  const call = (acceptedAt: number, mediaDigest: string): PlatformCall => ({
    publishId: mediaDigest,
    account: 'maya',
    title: 'one',
    acceptedAt,
    status: 'SEND_TO_USER_INBOX',
    failReason: null,
    arrivedAt: null,
    mediaDigest,
  });
  return {
    audit: [...begin(0, 'a', 1, 'd1'), ...begin(8_100, 'b', 2, 'd2')],
    calls: [call(20, 'd1'), call(8_120, 'd2')],
  };
}

const strikes = [{ app: 'a', atMs: 100 }];

it('is green when only the lease holder writes and calls, and reports how long the take-over took', () => {
  const { audit, calls } = takenOver();
  const { verdicts, figures } = checkLeases(audit, calls, strikes);
  expect(verdicts.isGreen()).toBe(true);
  expect(figures).toEqual({ takeOversMs: [8_000], lateWrites: 0, lateCalls: 0 });
});

it('does not blame the process that takes a webhook', () => {
  const { audit, calls } = takenOver();
  audit.push(row(8_200, 'a', 'timeline', { what: 'found' }), row(8_201, 'a', 'timeline', { what: 'sent' }));
  expect(checkLeases(audit, calls, strikes).verdicts.isGreen()).toBe(true);
});

it('turns red at an answer written by a worker past its lease', () => {
  const { audit, calls } = takenOver();
  audit.push(row(16_000, 'a', 'timeline', { what: 'accepted' }));
  expect(checkLeases(audit, calls, strikes).figures.lateWrites).toBe(1);
});

it('turns red at an attempt begun past the lease', () => {
  const { audit, calls } = takenOver();
  audit.push(row(16_000, 'a', 'attempt', { fence: 1, what: 'd3' }));
  expect(checkLeases(audit, calls, strikes).figures.lateWrites).toBe(1);
});

it('turns red at a call that came after the take-over', () => {
  const { audit, calls } = takenOver();
  calls[0]!.acceptedAt = 16_000;
  expect(checkLeases(audit, calls, strikes).figures.lateCalls).toBe(1);
});

it('turns red at a schedule that nobody took over', () => {
  const { audit, calls } = takenOver();
  const { verdicts } = checkLeases(audit.slice(0, 3), calls.slice(0, 1), strikes);
  expect(verdicts.counts('take-over').lost).toBe(1);
});
