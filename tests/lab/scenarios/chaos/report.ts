/** Prints the findings: per invariant, the faults that happened, and one last line of figures. */
import { countBy, listed } from '../../kit/checks/counts.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import type { Outcome } from '../../kit/run/scenario.ts';
import type { ChaosVerdict } from './check.ts';
import { leastFaults } from './faults.ts';
import type { Run } from './invariants.ts';

export type Circumstances = {
  happened: Record<string, number>;
  runMs: number;
  sent: number;
  /** Requests without an answer. */
  silent: number;
  failedStarts: number;
  /**
   * Delay of the recorder's own event loop during the faults: on a starved machine it is part of the
   * measurements.
   */
  lagMs: { p50: number; p99: number };
};

/** Proven: everything held, and enough faults happened. */
export function report(
  { history, evidence }: Run,
  { verdicts, figures }: ChaosVerdict,
  { happened, runMs, sent, silent, failedStarts, lagMs }: Circumstances,
): Outcome {
  const all = {
    ...happened,
    'requests refused by a limit': figures.refusedByLimit,
    'requests sent after a revocation': figures.sentAfter,
    deliveries: figures.deliveries,
    slots: figures.slots,
    'most requests of a key in 60 s': figures.mostOfKey,
  };
  const missing = tooFew(all, leastFaults(runMs));
  for (const line of verdicts.flatMap(one => one.lines())) console.log(line);
  for (const line of missing) console.log(`  ${line}`);
  console.log(`  done: ${listed(all)}, starts that failed ${failedStarts}`);
  console.log(
    `  the recorder was late by ${lagMs.p50.toFixed(0)} ms (p50), ${lagMs.p99.toFixed(0)} ms (p99)`,
  );
  console.log(
    `  failed posts: ${listed(countBy(evidence.posting.schedules, row => row.failureCode && row.reason))}`,
  );
  console.log(
    `  firings: ${listed(countBy(evidence.firings, ({ status, reason }) => `${status} ${reason ?? ''}`))}`,
  );
  const settled = history.find(line => line.kind === 'settled');
  const ready = history.flatMap(line =>
    line.kind === 'ready' ? [line.afterMs ?? Number.POSITIVE_INFINITY] : [],
  );
  const counts = verdicts.map(one => one.counts());
  const sum = (verdict: 'lost' | 'unexpected' | 'duplicated'): number =>
    counts.reduce((total, one) => total + one[verdict], 0);
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;
  return {
    isProven: verdicts.every(one => one.isGreen()) && missing.length === 0,
    figures: {
      requests: sent,
      'no answer': silent,
      kills: happened.kills ?? 0,
      contents: figures.contents,
      charged: figures.charged,
      schedules: figures.schedules,
      posts: figures.posts,
      'ambiguous calls': figures.ambiguous,
      failed: figures.failed,
      deliveries: figures.deliveries,
      again: figures.duplicates,
      'again behind a fault': figures.duplicatesBehindFaults,
      recovered: figures.recovered,
      slots: figures.slots,
      'keys revoked': figures.revoked,
      'used after it': figures.sentAfter,
      'refused by a limit': figures.refusedByLimit,
      lost: sum('lost'),
      unexpected: sum('unexpected'),
      duplicated: sum('duplicated'),
      'ready after': seconds(Math.max(...ready)),
      'then at rest after': seconds(settled?.kind === 'settled' ? settled.afterMs : Number.NaN),
    },
  };
}
