/** A checker's findings per invariant, in the words that every proof run prints. */
export const verdicts = ['ok', 'lost', 'unexpected', 'duplicated', 'recovered'] as const;
export type Verdict = (typeof verdicts)[number];

export type Finding = { invariant: string; verdict: Verdict; what: string };

export type Verdicts = {
  /** `recovered`: correct in the end, though something failed on the way. */
  find(invariant: string, verdict: Verdict, what: string): void;
  counts(invariant?: string): Record<Verdict, number>;
  /** One line per invariant, and one per fault (the first 20 of each invariant). */
  lines(): string[];
  /** True when nothing was lost, unexpected or duplicated. */
  isGreen(): boolean;
};

const wrong: readonly Verdict[] = ['lost', 'unexpected', 'duplicated'];
const shownMax = 20;

/** @param invariants in the order in which they are printed, including those without findings */
export function openVerdicts(invariants: readonly string[]): Verdicts {
  const findings: Finding[] = [];
  const counts = (invariant?: string): Record<Verdict, number> => {
    const all = { ok: 0, lost: 0, unexpected: 0, duplicated: 0, recovered: 0 };
    for (const one of findings)
      if (invariant === undefined || one.invariant === invariant) all[one.verdict] += 1;
    return all;
  };
  return {
    find: (invariant, verdict, what) => {
      if (!invariants.includes(invariant)) throw new Error(`there is no invariant "${invariant}"`);
      findings.push({ invariant, verdict, what });
    },
    counts,
    lines: () =>
      invariants.flatMap(invariant => {
        const found = counts(invariant);
        const bad = findings.filter(one => one.invariant === invariant && wrong.includes(one.verdict));
        const figures = verdicts.map(verdict => `${verdict} ${found[verdict]}`).join(', ');
        const shown = bad.slice(0, shownMax).map(one => `    ${one.verdict}: ${one.what}`);
        return [
          `  ${invariant}: ${figures}`,
          ...shown,
          ...(bad.length > shownMax ? [`    and ${bad.length - shownMax} more`] : []),
        ];
      }),
    isGreen: () => !findings.some(one => wrong.includes(one.verdict)),
  };
}

/**
 * Reports the faults that occurred too rarely for the run to prove anything; empty when there were enough.
 */
export function tooFew(happened: Record<string, number>, wanted: Record<string, number>): string[] {
  return Object.entries(wanted)
    .filter(([what, least]) => (happened[what] ?? 0) < least)
    .map(([what, least]) => `only ${happened[what] ?? 0} of at least ${least}: ${what}`);
}
