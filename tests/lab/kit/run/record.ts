/** The results behind `docs/proofs.md`: one file per scenario with the last run of each set of flags. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../product/processes.ts';
import type { Figures, Outcome } from './scenario.ts';

export type RecordedRun = {
  /** The flags as typed after the scenario's name. */
  flags: string;
  /** The day, UTC. Absent when unknown. */
  date?: string;
  /** Absent when unknown; `+` when the working tree had changes. */
  commit?: string;
  verdict: 'proven' | 'red';
  figures: Figures;
  /** Remarks that a reader needs about this run. */
  note?: string;
};
export type ProofRecord = { scenario: string; runs: RecordedRun[] };

const usualFolder = join(repositoryRoot, 'docs/proofs');

/** Replaces the run with the same flags. @returns the file, relative to the repository's root */
export function recordRun(
  scenario: string,
  args: readonly string[],
  began: Date,
  { isProven, figures }: Outcome,
  folder = usualFolder,
): string {
  const flags = args.filter(arg => arg !== '--record').join(' ');
  const file = join(folder, `${scenario}.json`);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProofRecord).runs : [];
  const run: RecordedRun = {
    flags,
    date: began.toISOString().slice(0, 10),
    commit: commitHere(),
    verdict: isProven ? 'proven' : 'red',
    figures,
  };
  const runs = [...before.filter(one => one.flags !== flags), run].toSorted((a, b) =>
    a.flags < b.flags ? -1 : 1,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ scenario, runs } satisfies ProofRecord, null, 2)}\n`);
  return relative(repositoryRoot, file);
}

function commitHere(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
}
