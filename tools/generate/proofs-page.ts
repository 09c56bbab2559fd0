/** `docs/proofs.md`, from the goals and the recorded runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { madeFrom, page, table } from './markdown.ts';

/** One goal of `docs/proofs/goals.yaml`. */
export type Goal = {
  id?: string;
  goal: string;
  /** Scenarios of `npm run prove`, with the flags of the run that counts: `limits --long`. */
  scenarios?: readonly string[];
  /** Test files, which run in `npm test`. */
  tests?: readonly string[];
  /** Another command that shows it. */
  command?: string;
  /** What of the goal has not been shown. */
  unproven?: string;
};
export type Chapter = { title: string; goals: readonly Goal[] };

/** As written by `npm run prove -- <scenario> --record`. */
export type ProofRecord = {
  scenario: string;
  runs: readonly { flags: string; date?: string; verdict: 'proven' | 'red' }[];
};

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/proofs');

export function readGoals(): Chapter[] {
  return parse(readFileSync(join(folder, 'goals.yaml'), 'utf8')) as Chapter[];
}

export function readRecords(): ProofRecord[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ProofRecord);
}

/**
 * @param exists true for an existing file, by its path from the repository's root
 * @throws Error naming a goal whose test or scenario does not exist
 */
export function proofsPage(
  chapters: readonly Chapter[],
  records: readonly ProofRecord[],
  exists: (file: string) => boolean = file => existsSync(join(root, file)),
): string {
  return page(
    madeFrom('docs/proofs/'),
    '# Goals and proofs',
    'What Hookline is measured by, and what shows it. A scenario (`npm run prove -- <scenario>`) starts real ' +
      'processes, injects faults and is judged by an independent history alone; with `--plant` the run has to be ' +
      'red. The figures of the last runs are in [proofs/](proofs/). What nothing shows is unproven.',
    ...chapters.flatMap(({ title, goals }) => [
      `## ${title}`,
      table(
        ['id', 'goal', 'shown by'],
        goals.map(goal => goalRow(goal, records, exists)),
      ),
    ]),
  );
}

function goalRow(
  { id = '–', goal, scenarios = [], tests = [], command, unproven }: Goal,
  records: readonly ProofRecord[],
  exists: (file: string) => boolean,
): string[] {
  const missing = [
    ...scenarios.map(one => one.split(' ')[0] ?? '').filter(name => !isScenario(name, exists)),
    ...tests.filter(file => !exists(file)),
  ];
  if (missing.length > 0) throw new Error(`${id} (${goal}) names ${missing.join(', ')}, which is not there`);
  const shown = [
    ...scenarios.map(one => `\`prove -- ${one}\` (${lastRun(one, records)})`),
    ...tests.map(file => `[\`${file.split('/').at(-1)}\`](../${file})`),
    ...(command === undefined ? [] : [`\`${command}\``]),
  ];
  return [id, unproven === undefined ? goal : `${goal} Unproven: ${unproven}`, shown.join(', ') || 'nothing'];
}

function isScenario(name: string, exists: (file: string) => boolean): boolean {
  return [`tests/lab/scenarios/${name}.ts`, `tests/lab/scenarios/${name}/scenario.ts`].some(exists);
}

/** The run with the goal's flags, else any run of the scenario without a planted defect. */
function lastRun(one: string, records: readonly ProofRecord[]): string {
  const [name, ...flags] = one.split(' ');
  const runs = (records.find(({ scenario }) => scenario === name)?.runs ?? []).filter(
    run => !run.flags.includes('--plant'),
  );
  const run = runs.find(candidate => candidate.flags === flags.join(' ')) ?? runs[0];
  if (run === undefined) return 'never run';
  return [run.verdict === 'red' && 'red', run.date].filter(Boolean).join(' ');
}
