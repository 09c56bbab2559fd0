/**
 * `--against <commit>`: this version and another one measured in turns in one run, because machines differ
 * more than versions do. The other one is a checkout with its own dependencies and databases.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInstalled } from '../../tools/install.mjs';
import { figureOf, ratioOf } from './figures.ts';
import { readGoals, valueAt } from './goals.ts';
import { keepComparison, type Ratios } from './results.ts';

const root = resolve(import.meta.dirname, '../..');
const slowerMax = 1.05;
const turns = 3;

/** Checks the commit out below `.cache` and installs it, once. @returns its folder */
export function checkOut(commit: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const tree = join(root, '.cache/against', git('rev-parse', '--short', `${commit}^{commit}`));
  const run = (...[command, ...args]: [string, ...string[]]) =>
    execFileSync(command, args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'prune');
  if (!existsSync(tree)) git('worktree', 'add', '--detach', tree, commit);
  if (!isInstalled(tree)) run('npm', 'ci', '--no-audit', '--no-fund');
  if (existsSync(join(tree, 'tools/build.mjs'))) run(process.execPath, 'tools/build.mjs');
  return tree;
}

/** Runs a whole bench of both versions in turns, each by its own command, and compares the marked goals. */
export function compareRuns(area: string, tree: string, args: readonly string[]): Ratios {
  const goals = readGoals().filter(goal => goal.bench === area && goal.compared);
  const rounds = Array.from({ length: turns }, () => [root, tree].map(dir => measuredIn(dir, area, args)));
  const ratios: Ratios = {};
  for (const { id, value, atLeast } of goals) {
    const [ours, theirs] = [0, 1].map(side => rounds.map(round => valueAt(round[side], value)));
    if (!ours || !theirs || [...ours, ...theirs].includes(null)) continue;
    const figures = [figureOf(ours as number[]), figureOf(theirs as number[])] as const;
    ratios[id] = atLeast === undefined ? ratioOf(...figures) : ratioOf(figures[1], figures[0]);
  }
  return ratios;
}

/** Exit code 1 says that a goal is not met, which is not the question here. */
function measuredIn(dir: string, area: string, args: readonly string[]): unknown {
  const env = { ...process.env, HOOKLINE_TEST_INFRA_URL: undefined };
  const { stdout, status } = spawnSync(process.execPath, ['bench/main.ts', area, ...args], {
    ...{ cwd: dir, env, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0 && status !== 1) throw new Error(`${area} in ${dir} ended with ${status}`);
  // A part of a bench is printed only.
  const part = /^\{\n[\s\S]*?^\}/m.exec(stdout)?.[0];
  if (part !== undefined) return JSON.parse(part);
  const file = readFileSync(join(dir, 'bench/results', `${area}.json`), 'utf8');
  return (JSON.parse(file) as { measured: unknown }).measured;
}

/** Prints and keeps the ratios. Sets exit code 1 when one is above 1.05, or when nothing was compared. */
export function judge(area: string, commit: string, ratios: Ratios): void {
  for (const [name, { median, min, max }] of Object.entries(ratios)) {
    const range = `${min.toFixed(2)} to ${max.toFixed(2)}`;
    console.log(
      `${median > slowerMax ? 'slower' : 'kept'.padEnd(6)} ${name}: ${median.toFixed(2)} of ${commit} (${range})`,
    );
  }
  const all = Object.values(ratios);
  if (all.length > 0) keepComparison(area, commit, ratios);
  if (all.length === 0 || all.some(({ median }) => median > slowerMax)) process.exitCode = 1;
}
