/**
 * Judges revocations from the history alone: no request sent after the answer of `DELETE` may have passed.
 */
import type { Counted } from './check-windows.ts';

/** The answer of `DELETE /keys/{id}`; `key` as named by the windows. */
export type Revocation = { key: string; sentMs: number; doneMs: number; status: number };

export type RevocationFindings = {
  revoked: number;
  /** Requests with a key that were sent after the answer of its DELETE. */
  sentAfter: number;
  /** Of those, sent within 50 ms of it. */
  sentSoonAfter: number;
  acceptedAfter: number;
  /** Let through while DELETE was in flight: shows that there was load. */
  acceptedDuring: number;
};

/** @param asked requests of any key; those without a revoked one are ignored */
export function checkRevocations(
  revocations: readonly Revocation[],
  asked: readonly Counted[],
): RevocationFindings {
  const findings = { revoked: 0, sentAfter: 0, sentSoonAfter: 0, acceptedAfter: 0, acceptedDuring: 0 };
  const byWindow = new Map(
    revocations.filter(({ status }) => status === 200).map(one => [`key:${one.key}`, one]),
  );
  findings.revoked = byWindow.size;
  for (const one of asked) {
    const revocation = byWindow.get(one.windows.find(name => name.startsWith('key:')) ?? '');
    if (!revocation) continue;
    const isAccepted = one.status > 0 && one.status < 400;
    if (one.sentMs <= revocation.doneMs) {
      if (isAccepted && one.doneMs >= revocation.sentMs) findings.acceptedDuring += 1;
      continue;
    }
    findings.sentAfter += 1;
    if (one.sentMs < revocation.doneMs + 50) findings.sentSoonAfter += 1;
    if (isAccepted) findings.acceptedAfter += 1;
  }
  return findings;
}
