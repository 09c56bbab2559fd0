/** `docs/proofs.md`, from the declared claims and the recorded runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { madeFrom, page, table } from './markdown.ts';

/** One claim of `docs/proofs/claims.yaml`. */
export type Claim = {
  /** Ids of `docs/goals.md`; absent for a claim that is not a goal. */
  goals?: readonly string[];
  claim: string;
  /** Scenarios of `npm run prove`, with the flags of the run that counts: `limits --long`. */
  scenarios?: readonly string[];
  /** Test files, which run in `npm test`. */
  tests?: readonly string[];
  /** Another command that shows it. */
  command?: string;
  /** Results of the tests or the command; a scenario's figures are in its record. */
  figures?: string;
  date?: string;
  /** Limits of the evidence. */
  unproven?: string;
};
export type Chapter = { title: string; text?: string; claims: readonly Claim[] };

/** As written by `npm run prove -- <scenario> --record`. */
export type ProofRecord = {
  scenario: string;
  runs: readonly {
    flags: string;
    date?: string;
    commit?: string;
    verdict: 'proven' | 'red';
    figures: Readonly<Record<string, number | string>>;
    note?: string;
  }[];
};

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/proofs');

export function readClaims(): Chapter[] {
  return parse(readFileSync(join(folder, 'claims.yaml'), 'utf8')) as Chapter[];
}

export function readRecords(): ProofRecord[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .toSorted()
    .map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ProofRecord);
}

/**
 * @param exists true for an existing file, by its path from the repository's root
 * @throws Error naming a claim without evidence, or whose test or scenario does not exist
 */
export function proofsPage(
  chapters: readonly Chapter[],
  records: readonly ProofRecord[],
  exists: (file: string) => boolean = file => existsSync(join(root, file)),
): string {
  for (const claim of chapters.flatMap(({ claims }) => claims)) insistShown(claim, exists);
  for (const { scenario } of records) insistScenario(scenario, exists);
  return page(
    madeFrom('docs/proofs/'),
    '# Proofs',
    'What was shown to hold, and by what. A scenario (`npm run prove -- <scenario>`) starts real processes, injects ' +
      'faults and keeps an independent history; a checker reads only that, the tables and the log of the simulated ' +
      'platform afterwards. A run is red when an invariant broke or when too few faults happened to show anything. ' +
      'With `--plant` a defect is put into a copy of the product, and the run has to be red.',
    'Claims are declared in [claims.yaml](proofs/claims.yaml); `--record` keeps the last run of each set of flags as ' +
      'JSON next to it. A claim without a figure of its scenario under [Runs](#runs) is unproven.',
    ...chapters.flatMap(({ title, text, claims }) => [
      `## ${title}`,
      ...(text === undefined ? [] : [text]),
      table(['goal', 'claim', 'shown by', 'figures'], claims.map(claimRow)),
    ]),
    '## Runs',
    table(
      ['scenario', 'verdict', 'figures', 'date', 'commit'],
      records.flatMap(({ scenario, runs }) =>
        runs.map(({ flags, verdict, figures, note, date = '', commit = '' }) => [
          `\`${`${scenario} ${flags}`.trim()}\``,
          verdict,
          [listFigures(figures), note].filter(Boolean).join('. '),
          date,
          commit,
        ]),
      ),
    ),
  );
}

function claimRow({
  goals = [],
  claim,
  scenarios = [],
  tests = [],
  command,
  figures,
  date,
  unproven,
}: Claim) {
  const shown = [
    ...scenarios.map(one => `[\`prove -- ${one}\`](#runs)`),
    ...tests.map(file => `\`${file}\``),
    ...(command === undefined ? [] : [`\`${command}\``]),
  ];
  const said = [
    [figures, date && `(${date})`].filter(Boolean).join(' '),
    ...(unproven === undefined ? [] : [`Unproven: ${unproven}`]),
  ];
  return [goals.join(', ') || '–', claim, shown.join(', '), said.filter(Boolean).join('. ')];
}

function listFigures(figures: ProofRecord['runs'][number]['figures']): string {
  return Object.entries(figures)
    .map(([what, figure]) => `${what} ${figure}`)
    .join(', ');
}

function insistShown(
  { claim, scenarios = [], tests = [], command }: Claim,
  exists: (file: string) => boolean,
) {
  if (scenarios.length + tests.length === 0 && command === undefined)
    throw new Error(`nothing shows the claim "${claim}"`);
  for (const scenario of scenarios) insistScenario(scenario.split(' ')[0] ?? '', exists);
  for (const file of tests)
    if (!exists(file)) throw new Error(`the claim "${claim}" names ${file}, which is not there`);
}

function insistScenario(name: string, exists: (file: string) => boolean): void {
  const files = [`tests/lab/scenarios/${name}.ts`, `tests/lab/scenarios/${name}/scenario.ts`];
  if (!files.some(exists)) throw new Error(`there is no scenario "${name}" under tests/lab/scenarios`);
}
