import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  boundOf,
  type Comparison,
  type Machine,
  type Result,
  readComparison,
  readResult,
} from './harness/results.ts';

const page = join(import.meta.dirname, '../docs/benchmarks.md');
/** The areas that are measured, in the order of the page. */
export const areas = ['gateway', 'content', 'scheduling', 'webhooks', 'analytics'];

function render(result: Result, comparison: Comparison | null): string {
  const parts = [describeRun(result), renderGoals(result)];
  if (comparison) parts.push(describeRun(comparison), renderRatios(comparison));
  return parts.join('\n\n');
}

function describeRun({ at, machine }: { at: string; machine: Machine }): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC, commit ${machine.commit}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}.`;
}

function renderRatios({ against, ratios }: Comparison): string {
  const rows = Object.entries(ratios).map(
    ([name, { median, min, max }]) =>
      `| ${name} | ${median.toFixed(2)} | ${min.toFixed(2)} to ${max.toFixed(2)} |`,
  );
  return [
    `| of commit ${against}, in turns | ratio, above 1 is worse | rounds |`,
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function renderGoals({ goals }: Result): string {
  const rows = goals.map(goal => {
    const measured = goal.measured === null ? '–' : goal.measured.toFixed(2);
    return `| ${goal.text} | ${boundOf(goal)} | ${measured} | ${goal.verdict} |`;
  });
  return ['| goal | bound | measured | |', '|---|---|---|---|', ...rows].join('\n');
}

/**
 * Writes the newest results into `docs/benchmarks.md`, between their marks. @param named all benches when
 * empty
 */
export function writeReport(named: readonly string[]): void {
  let text = readFileSync(page, 'utf8');
  for (const bench of named.length > 0 ? named : areas) {
    const [begin, end] = [`<!-- ${bench}: begin -->`, `<!-- ${bench}: end -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`docs/benchmarks.md lacks ${begin} or ${end}`);
    text = `${before}${begin}\n${render(readResult(bench), readComparison(bench))}\n${end}${after}`;
  }
  writeFileSync(page, text);
}
