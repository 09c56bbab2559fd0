import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundOf, type Result, readResult } from './harness/results.ts';

const page = join(import.meta.dirname, '../docs/benchmarks.md');
const benches = ['gateway', 'content', 'scheduling', 'webhooks'];

function render(result: Result): string {
  const { machine } = result;
  const run = `${result.at.slice(0, 16).replace('T', ' ')} UTC, commit ${machine.commit}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}.`;
  return [run, renderGoals(result)].join('\n\n');
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
  for (const bench of named.length > 0 ? named : benches) {
    const [begin, end] = [`<!-- ${bench}: begin -->`, `<!-- ${bench}: end -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`docs/benchmarks.md lacks ${begin} or ${end}`);
    text = `${before}${begin}\n${render(readResult(bench))}\n${end}${after}`;
  }
  writeFileSync(page, text);
}
