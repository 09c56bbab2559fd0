import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './harness/figures.ts';
import { valueAt } from './harness/goals.ts';
import { boundOf, type Result, readResult } from './harness/results.ts';
import type { RoundTable } from './harness/rounds.ts';

const page = join(import.meta.dirname, '../docs/benchmarks.md');

type Section = {
  title: string;
  table: string;
  columns: readonly (readonly [measure: string, heading: string])[];
};

const closedColumns = [
  ['cpuUs', 'CPU µs per request'],
  ['perSecond', 'requests/s'],
  ['p50Ms', 'p50 ms'],
  ['p99Ms', 'p99 ms'],
] as const;
const openColumns = [
  ['p50Ms', 'p50 ms'],
  ['p99Ms', 'p99 ms'],
  ['cpuUs', 'CPU µs per request'],
] as const;

const sections: Record<string, readonly Section[]> = {
  content: [
    {
      title: 'POST /content through the gateway',
      table: 'posts',
      columns: [
        ['perSecond', 'requests/s'],
        ['p50Ms', 'p50 ms at 300/s'],
        ['p99Ms', 'p99 ms at 300/s'],
        ['gatewayCpuMs', 'gateway CPU ms'],
        ['contentCpuMs', 'content CPU ms'],
        ['automationCpuMs', 'automation CPU ms'],
      ],
    },
    {
      title: 'Six slides',
      table: 'render',
      columns: [
        ['cpuMsPerDeck', 'CPU ms per deck'],
        ['slideMs', 'ms per slide'],
        ['deckMs', 'ms per deck'],
        ['kilobytesPerSlide', 'KB per slide'],
      ],
    },
    {
      title: 'Six slides in every template',
      table: 'templates',
      columns: [['cpuMsPerDeck', 'CPU ms per deck']],
    },
    { title: 'GET /content, pages of 100', table: 'lists', columns: [['p50Ms', 'p50 ms']] },
  ],
  scheduling: [
    {
      title: 'Claim and complete',
      table: 'queue',
      columns: [
        ['perSecond', 'items/s'],
        ['cpuUs', 'own CPU µs per item'],
        ['postgresCpuUs', 'Postgres CPU µs per item'],
      ],
    },
    {
      title: 'Lateness',
      table: 'lateness',
      columns: [
        ['p50Ms', 'p50 ms'],
        ['p99Ms', 'p99 ms'],
        ['maxMs', 'worst ms'],
      ],
    },
    {
      title: 'One poll of the sender',
      table: 'flat',
      columns: [
        ['emptyMs', 'nothing due, ms'],
        ['dueMs', 'one claimed and parked, ms'],
      ],
    },
  ],
  gateway: [
    { title: 'GET, closed loop', table: 'get', columns: closedColumns },
    { title: 'POST, closed loop', table: 'post', columns: closedColumns },
    {
      title: 'GET, open loop, 70 % of what the bare http-proxy can do',
      table: 'loaded',
      columns: openColumns,
    },
    { title: 'GET, open loop, 1,000 a second', table: 'light', columns: openColumns },
  ],
  analytics: [
    {
      title: 'open loop, 100 a second',
      table: 'table',
      columns: [
        ['p50Ms', 'p50 ms'],
        ['p99Ms', 'p99 ms'],
      ],
    },
  ],
  webhooks: [],
  growth: [
    {
      title: 'One poll',
      table: 'growth',
      columns: [
        ['outboxMs', 'outbox, ms'],
        ['ledgerMs', 'ledger gauge, ms'],
        ['claimMs', 'webhook claim, ms'],
      ],
    },
  ],
};

/** Measured values without a goal. */
const facts: Record<string, readonly (readonly [label: string, path: string])[]> = {
  scheduling: [
    ['claims until 50,000 overdue posts of one creator were at their turns', 'moved.claims'],
    ['the slowest of these claims, ms', 'moved.slowestMs'],
    ['all of them, ms', 'moved.totalMs'],
  ],
  webhooks: [
    ['200 endpoints for 60 s: p50 from commit to receiver, ms', 'stream.p50Ms'],
    ['200 endpoints for 60 s: p99, ms', 'stream.p99Ms'],
    ['own CPU per delivery, µs', 'stream.cpuUsPerDelivery'],
    ['deliveries a second of the bare loop', 'barePerSecond'],
    ['backlog: events a second from the bus into deliveries', 'backlog.ingestedPerSecond'],
    ['p99 of the other endpoints before its drain, ms', 'backlog.othersP99BeforeMs'],
    ['p99 of the other endpoints during its drain, ms', 'backlog.othersP99DuringMs'],
    ['peak memory of the automation process, MB', 'peakRssMb'],
  ],
};

function render(result: Result): string {
  const { machine } = result;
  const parts = [
    `Run of ${result.at.slice(0, 16).replace('T', ' ')} UTC at commit ${machine.commit}, ${result.seconds} s, on ${machine.cores} cores (${machine.cpu}), Node ${machine.node}. Each cell: median (least – most) of the rounds.`,
    result.notes.map(note => `- ${note}`).join('\n'),
    renderGoals(result),
    ...(sections[result.bench] ?? []).map(section => renderSection(section, result)),
    renderFacts(result),
    renderPeak(result.measured.peakRssMb),
  ];
  return parts.filter(Boolean).join('\n\n');
}

function renderGoals({ goals }: Result): string {
  const rows = goals.map(goal => {
    const measured = goal.measured === null ? '–' : goal.measured.toFixed(2);
    return `| ${goal.text} | ${boundOf(goal)} | ${measured} | ${goal.verdict} |`;
  });
  return ['| goal | bound | measured | |', '|---|---|---|---|', ...rows].join('\n');
}

function renderSection({ title, table, columns }: Section, result: Result): string {
  const rows = Object.entries(result.measured[table] as RoundTable).map(
    ([name, figures]) =>
      `| ${name} | ${columns.map(([measure]) => renderFigure(figures[measure] as Figure)).join(' | ')} |`,
  );
  const head = `| ${title} | ${columns.map(([, heading]) => heading).join(' | ')} |`;
  return [head, `|---|${columns.map(() => '---|').join('')}`, ...rows].join('\n');
}

function renderFigure({ median, min, max }: Figure): string {
  const [middle, least, most] = [median, min, max].map(value =>
    value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US'),
  );
  return `${middle} (${least} – ${most})`;
}

function renderFacts({ bench, measured }: Result): string {
  const rows = (facts[bench] ?? []).map(
    ([label, path]) => `| ${label} | ${valueAt(measured, path)?.toFixed(1) ?? '–'} |`,
  );
  return rows.length > 0 ? ['| also measured | |', '|---|---|', ...rows].join('\n') : '';
}

function renderPeak(peak: unknown): string {
  if (typeof peak !== 'object' || peak === null) return '';
  return `Peak memory, MB: ${Object.entries(peak)
    .map(([name, value]) => `${name} ${Math.round(Number(value))}`)
    .join(', ')}.`;
}

/**
 * Writes the newest results into `docs/benchmarks.md`, between their marks. @param named all benches when
 * empty
 */
export function writeReport(named: readonly string[]): void {
  let text = readFileSync(page, 'utf8');
  for (const bench of named.length > 0 ? named : Object.keys(sections)) {
    const [begin, end] = [`<!-- ${bench}: begin -->`, `<!-- ${bench}: end -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`docs/benchmarks.md lacks ${begin} or ${end}`);
    text = `${before}${begin}\n${render(readResult(bench))}\n${end}${after}`;
  }
  writeFileSync(page, text);
}
