/** Results as JSON files under `bench/results`, one per run; the newest also as `<bench>.json`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figures.ts';
import { type Goal, type JudgedGoal, judgeGoals } from './goals.ts';

const resultsDir = join(import.meta.dirname, '../results');

export type Machine = {
  cpu: string;
  cores: number;
  memoryGb: number;
  kernel: string;
  node: string;
  commit: string;
};

export type Result = {
  bench: string;
  at: string;
  seconds: number;
  machine: Machine;
  /** The method, the settings and the limits of the measurement; one sentence each. */
  notes: string[];
  measured: Record<string, unknown>;
  goals: JudgedGoal[];
};

function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    }).trim(),
  };
}

/** Judges the goals, writes the files, prints one line per goal. Sets exit code 1 when one is not met. */
export function finishRun(
  bench: string,
  beganAt: Date,
  notes: string[],
  measured: Record<string, unknown>,
): Result {
  const goals = judgeGoals(bench, measured);
  const seconds = Math.round((Date.now() - beganAt.getTime()) / 1000);
  const result = {
    bench,
    at: beganAt.toISOString(),
    seconds,
    machine: describeMachine(),
    notes,
    measured,
    goals,
  };
  mkdirSync(resultsDir, { recursive: true });
  const text = `${JSON.stringify(result, null, 2)}\n`;
  writeFileSync(join(resultsDir, `${bench}-${beganAt.toISOString().replaceAll(':', '-')}.json`), text);
  writeFileSync(join(resultsDir, `${bench}.json`), text);
  for (const goal of goals) console.log(`${goal.verdict.padEnd(12)} ${goal.text}: ${describeGoal(goal)}`);
  if (goals.some(goal => goal.verdict === 'not met')) process.exitCode = 1;
  console.log(`${bench}: ${seconds} s, written to bench/results/${bench}.json`);
  return result;
}

export function boundOf(goal: Goal): string {
  return goal.atMost === undefined ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`;
}

function describeGoal(goal: JudgedGoal): string {
  const measured = goal.measured === null ? 'run it with --long' : goal.measured.toFixed(2);
  return `${measured} (${boundOf(goal)})`;
}

/** The newest result of a bench. @throws Error when it was never run here */
export function readResult(bench: string): Result {
  const path = join(resultsDir, `${bench}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Result;
}

/** Ratios of this version to another one, measured in turns in one run: above 1 is worse. */
export type Ratios = Record<string, Figure>;

export type Comparison = { at: string; machine: Machine; against: string; ratios: Ratios };

export function keepComparison(bench: string, against: string, ratios: Ratios): void {
  const comparison = { at: new Date().toISOString(), machine: describeMachine(), against, ratios };
  mkdirSync(resultsDir, { recursive: true });
  writeFileSync(comparisonFile(bench), `${JSON.stringify(comparison, null, 2)}\n`);
}

/** The newest one; null when no version was compared here. */
export function readComparison(bench: string): Comparison | null {
  const path = comparisonFile(bench);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Comparison) : null;
}

function comparisonFile(bench: string): string {
  return join(resultsDir, `${bench}-against.json`);
}
