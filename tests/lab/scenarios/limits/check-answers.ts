/** Judges refusals, retries and the outage from the history alone. */
import { type Asked, isAsked, type Line } from './history.ts';

export type RetryFindings = {
  /** Retries whose time was certain. */
  samples: number;
  /** Waited as requested and refused again, or a second less and let through. */
  untrue: number;
  /** Retries that the machine sent too late to show anything. */
  unclear: number;
  /** 429 without a `Retry-After` of whole seconds, or with a text other than the spec's. */
  malformed: number;
};

export function checkRetryAfter(lines: readonly Line[]): RetryFindings {
  const findings: RetryFindings = { samples: 0, untrue: 0, unclear: 0, malformed: 0 };
  const bySeq = new Map(lines.filter(isAsked).map(one => [one.seq, one]));
  // An early retry that was let through, even because it came late, has taken the promised place.
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

/** Answers of 5xx and requests without an answer, of all in these parts. */
export function checkFailures(lines: readonly Line[], parts: readonly string[]) {
  const asked = lines.filter(isAsked).filter(one => parts.includes(one.part));
  const failed = asked.filter(({ status }) => status === 0 || status >= 500).length;
  return { asked: asked.length, failed, percent: (100 * failed) / Math.max(1, asked.length) };
}
