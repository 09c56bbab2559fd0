/** Judges refusals, second tries, revocations and the outage from the history alone. */
import { type Asked, isAsked, type Line, type Revoked } from './history.ts';

export type RetryFindings = {
  /** Second tries whose time was certain. */
  samples: number;
  /** Waited as told and refused again, or a second less and let through. */
  untrue: number;
  /** Second tries that the machine sent too late to say anything. */
  unclear: number;
  /** 429 without a `Retry-After` of whole seconds, or with another text than the spec's. */
  malformed: number;
};

export function checkRetryAfter(lines: readonly Line[]): RetryFindings {
  const findings: RetryFindings = { samples: 0, untrue: 0, unclear: 0, malformed: 0 };
  const bySeq = new Map(lines.filter(isAsked).map(one => [one.seq, one]));
  // An early try that was let through, be it because it came late, has taken the place that was promised.
  const taken = new Set<number>();
  for (const { after, status } of bySeq.values()) {
    if (after?.waited === 'a second less' && status !== 429) taken.add(after.seq);
  }
  for (const one of bySeq.values()) {
    if (one.status === 429 && !isWellFormed(one)) findings.malformed += 1;
    if (!one.after) continue;
    const first = bySeq.get(one.after.seq) as Asked;
    const toldMs = Number(first.retryAfter) * 1_000;
    if (one.after.waited === 'as told') {
      if (one.sentMs < first.doneMs + toldMs || taken.has(first.seq)) findings.unclear += 1;
      else judge(findings, one.status !== 429);
    } else if (one.doneMs > first.sentMs + toldMs - 1_000) findings.unclear += 1;
    else judge(findings, one.status === 429);
  }
  return findings;
}

function judge(findings: RetryFindings, isTrue: boolean): void {
  findings.samples += 1;
  if (!isTrue) findings.untrue += 1;
}

function isWellFormed({ retryAfter, code, message }: Asked): boolean {
  return (
    /^[1-9]\d*$/.test(retryAfter ?? '') &&
    Number(retryAfter) <= 60 &&
    code === 'rate_limited' &&
    message === `Too many requests. Retry after ${retryAfter}s.`
  );
}

export type RevocationFindings = {
  revoked: number;
  /** Requests with a key that were sent after the answer of its DELETE. */
  sentAfter: number;
  /** Of those, sent within 50 ms of it. */
  sentSoonAfter: number;
  acceptedAfter: number;
  /** Let through while DELETE was on its way: the load was there. */
  acceptedDuring: number;
};

export function checkRevocations(lines: readonly Line[]): RevocationFindings {
  const findings = { revoked: 0, sentAfter: 0, sentSoonAfter: 0, acceptedAfter: 0, acceptedDuring: 0 };
  const revocations = new Map<string, Revoked>();
  for (const line of lines) {
    if (line.kind === 'revoked' && line.status === 200) revocations.set(`key:${line.key}`, line);
  }
  findings.revoked = revocations.size;
  for (const one of lines.filter(isAsked)) {
    const revocation = revocations.get(one.windows.find(name => name.startsWith('key:')) ?? '');
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

/** Answers of 5xx and requests without an answer, of all in these parts. */
export function checkFailures(lines: readonly Line[], parts: readonly string[]) {
  const asked = lines.filter(isAsked).filter(one => parts.includes(one.part));
  const failed = asked.filter(({ status }) => status === 0 || status >= 500).length;
  return { asked: asked.length, failed, percent: (100 * failed) / Math.max(1, asked.length) };
}
