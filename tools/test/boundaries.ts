import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, runTool } from './run-command.ts';
import { listFiles } from './source-files.ts';

const FOLDERS = ['packages', 'services', 'ops', 'deploy', 'tests', 'bench', 'tools'];
const TIMEOUT_MS = 120_000;

type Report = {
  summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] };
};

async function cruise(cwd: string): Promise<Report['summary']> {
  const args = ['--config', join(ROOT, '.dependency-cruiser.mjs'), '--output-type', 'json', ...FOLDERS];
  const { output } = await runTool('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', args, {
    cwd,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    return (JSON.parse(output) as Report).summary;
  } catch {
    throw new Error(`dependency-cruiser failed: ${output.trim()}`);
  }
}

/** Forbidden imports of the repository, as lines; a run that saw too few files is a complaint too. */
export async function findForbiddenImports(): Promise<string[]> {
  const { violations, totalCruised } = await cruise(ROOT);
  const files = FOLDERS.flatMap(folder => listFiles(join(ROOT, folder), ['.ts']));
  // Without its parser the tool finds nothing and reports success.
  if (totalCruised < files.length) return [`only ${totalCruised} of ${files.length} files were read`];
  return violations.map(({ from, to, rule }) => `${rule.name}: ${from} imports ${to}`);
}

/** One forbidden import per rule, in a small separate tree. */
const PLANTED: readonly { rule: string; file: string; text: string }[] = [
  {
    rule: 'services-stay-apart',
    file: 'services/a/src/app.ts',
    text: `import { b } from '../../b/src/app.ts'; b();`,
  },
  ...['ops/src/command.ts', 'tools/generate/pages.ts', 'bench/gateway/round.ts'].map(file => ({
    rule: 'services-have-faces',
    file,
    text: `import { b } from '../../services/b/src/app.ts'; b();`,
  })),
  {
    rule: 'services-know-no-machine',
    file: 'services/a/src/start.ts',
    text: `import { start } from '../../../packages/embedded/src/index.ts'; start();`,
  },
  {
    rule: 'operators-need-no-start',
    file: 'ops/src/start.ts',
    text: `import '../../deploy/standalone/src/start.ts';`,
  },
  {
    rule: 'rules-use-pure-code-only',
    file: 'services/a/src/rules/slots.ts',
    text: `import { act } from '../act.ts'; act();`,
  },
  ...Object.entries({
    'consumers-only-act': ['consumers/heard.ts', '../queries/rows.ts'],
    'adapters-behind-actions': ['workers/send.ts', '../adapters/out.ts'],
    'queries-decide-nothing': ['queries/decided.ts', '../rules/more.ts'],
    'queries-below-actions': ['queries/up.ts', '../adapters/out.ts'],
    'queries-answer-nobody': ['queries/refused.ts', '../../../../packages/shared/src/contracts/index.ts'],
    'records-are-pure': ['records/row.ts', '../queries/rows.ts'],
    'adapters-face-outwards': ['adapters/stored.ts', '../queries/rows.ts'],
  }).map(([rule, [file, to]]) => ({
    rule,
    file: `services/b/src/${file}`,
    text: `import { up } from '${to}'; up();`,
  })),
  {
    rule: 'rules-know-no-rows',
    file: 'services/b/src/rules/typed.ts',
    text: `import type { Row } from '../queries/rows.ts'; export type Rows = Row[];`,
  },
  {
    rule: 'rules-do-no-io',
    file: 'services/a/src/rules/file.ts',
    text: `import { readFileSync } from 'node:fs'; readFileSync('x');`,
  },
  {
    rule: 'pg-behind-shared',
    file: 'services/a/src/act.ts',
    text: `import pg from 'pg'; export const act = () => new pg.Pool();`,
  },
  {
    rule: 'kafkajs-in-the-adapter',
    file: 'packages/shared/src/bus/other.ts',
    text: `import { Kafka } from 'kafkajs'; new Kafka();`,
  },
  {
    rule: 'e2e-is-a-client',
    file: 'tests/e2e/path.e2e.test.ts',
    text: `import { b } from '../../services/b/src/service.ts'; b();`,
  },
  ...['contracts', 'events', 'kernel', 'postgres', 'bus', 'http', 'leaving'].map((floor, index, floors) => ({
    rule: `${floor}-knows-its-floor`,
    file: `packages/shared/src/${floor}/up.ts`,
    text: `import { up } from '../${floors[index + 1] ?? 'service'}/index.ts'; up();`,
  })),
  {
    rule: 'floors-have-faces',
    file: 'packages/shared/src/http/deep.ts',
    text: `import { pool } from '../postgres/db.ts'; pool();`,
  },
  {
    rule: 'product-without-test-code',
    file: 'services/a/src/helped.ts',
    text: `import { help } from '../../../packages/testing/src/help.ts'; help();`,
  },
  ...['tests/lab/kit/help.ts', 'bench/harness/rounds.ts', 'tools/main.ts'].map((target, at) => ({
    rule: 'product-without-test-code',
    file: `services/a/src/from-${at}.ts`,
    text: `import '../../../${target}';`,
  })),
  {
    rule: 'kit-knows-no-scenario',
    file: 'tests/lab/kit/up.ts',
    text: `import '../scenarios/slots.ts';`,
  },
  {
    rule: 'scenarios-stay-apart',
    file: 'tests/lab/scenarios/chaos/scenario.ts',
    text: `import '../slots.ts'; import './faults.ts'; import '../../kit/help.ts';`,
  },
  {
    rule: 'lab-knows-no-suite',
    file: 'tests/lab/kit/suite.ts',
    text: `import '../../sagas/world.ts';`,
  },
  {
    rule: 'tests-know-no-bench',
    file: 'tests/lab/kit/figures.ts',
    text: `import '../../../bench/harness/rounds.ts';`,
  },
  {
    rule: 'bench-knows-the-kit-alone',
    file: 'bench/gateway/bench.ts',
    text: `import '../../tests/lab/scenarios/slots.ts'; import '../../tests/lab/kit/help.ts';`,
  },
  {
    rule: 'tools-know-no-tests',
    file: 'tools/prove.ts',
    text: `import '../tests/lab/kit/help.ts';`,
  },
  {
    rule: 'product-without-test-code',
    file: 'deploy/standalone/src/served.ts',
    text: `import { serve } from '../../../tools/infra/src/redis.ts'; serve();`,
  },
  {
    rule: 'no-cycles',
    file: 'services/a/src/round.ts',
    text: `import './round.ts';`,
  },
  {
    rule: 'cli-is-a-client',
    file: 'packages/cli/src/command.ts',
    text: `import { up } from '../../shared/src/kernel/index.ts'; up();`,
  },
  {
    rule: 'drawing-knows-no-writer',
    file: 'packages/slides/src/draw.ts',
    text: `import { write } from '../../writer/src/index.ts'; write();`,
  },
  {
    rule: 'writing-draws-nothing',
    file: 'packages/writer/src/draw.ts',
    text: `import { draw } from '../../slides/src/index.ts'; draw();`,
  },
  {
    rule: 'shared-knows-no-service',
    file: 'packages/shared/src/app.ts',
    text: `import { b } from '../../../services/b/src/app.ts'; b();`,
  },
];
/** Imports that must stay allowed, and the targets of the planted ones. */
const ALLOWED: readonly { file: string; text: string }[] = [
  { file: 'services/b/src/app.ts', text: `export const b = () => {};` },
  {
    file: 'services/b/src/queries/rows.ts',
    text: `import type pg from 'pg'; export type Rows = pg.QueryResult;`,
  },
  {
    file: 'services/b/src/rules/count.ts',
    text: `import { code } from '../../../../packages/shared/src/contracts/errors.ts'; import './more.ts'; code();`,
  },
  { file: 'services/b/src/rules/more.ts', text: `export const more = 1; export type Known = string;` },
  { file: 'services/b/src/adapters/out.ts', text: `export const up = () => {};` },
  {
    file: 'services/b/src/queries/typed.ts',
    text: `import type { Known } from '../rules/more.ts'; import { row } from '../records/kept.ts'; export const typed: Known = row;`,
  },
  { file: 'services/b/src/records/kept.ts', text: `export const row = '';` },
  {
    file: 'services/b/src/actions/act.ts',
    text: `import { up } from '../adapters/out.ts'; import { typed } from '../queries/typed.ts'; up(typed);`,
  },
  {
    file: 'services/b/src/routes/read.ts',
    text: `import '../actions/act.ts'; import { typed } from '../queries/typed.ts'; typed;`,
  },
  { file: 'packages/shared/src/contracts/errors.ts', text: `export const code = () => {};` },
  { file: 'packages/shared/src/bus/kafka/bus.ts', text: `import { Kafka } from 'kafkajs'; new Kafka();` },
  ...['contracts', 'events', 'kernel', 'postgres', 'bus', 'http', 'leaving', 'service'].map(floor => ({
    file: `packages/shared/src/${floor}/index.ts`,
    text: `export const up = () => {};`,
  })),
  { file: 'packages/testing/src/help.ts', text: `export const help = () => {};` },
  { file: 'packages/slides/src/index.ts', text: `export const draw = () => {};` },
  { file: 'packages/writer/src/index.ts', text: `export const write = () => {};` },
  {
    file: 'packages/shared/src/postgres/db.ts',
    text: `import pg from 'pg'; export const pool = () => new pg.Pool();`,
  },
  { file: 'services/b/src/service.ts', text: `export { b } from './app.ts';` },
  { file: 'deploy/main.ts', text: `import '../services/b/src/service.ts';` },
  { file: 'services/b/src/ops.ts', text: `export const mend = () => {};` },
  { file: 'services/b/src/documents.ts', text: `export const describe = () => {};` },
  { file: 'tools/generate/described.ts', text: `import '../../services/b/src/documents.ts';` },
  {
    file: 'ops/src/main.ts',
    text: `import { mend } from '../../services/b/src/ops.ts'; import { start } from '../../packages/embedded/src/index.ts'; mend(start());`,
  },
  { file: 'tests/lab/kit/help.ts', text: `import '../../../tools/main.ts';` },
  { file: 'tests/lab/scenarios/slots.ts', text: `import '../kit/help.ts';` },
  { file: 'tests/lab/scenarios/chaos/faults.ts', text: `import '../../kit/help.ts';` },
  { file: 'tests/sagas/world.ts', text: `import '../lab/kit/help.ts';` },
  { file: 'bench/harness/rounds.ts', text: `import '../../tools/main.ts';` },
  { file: 'services/b/test/with-kit.int.test.ts', text: `import '../../../tests/lab/kit/help.ts';` },
  { file: 'tools/main.ts', text: `import 'pg';` },
  {
    file: 'packages/embedded/src/index.ts',
    text: `import pg from 'pg'; export const start = () => new pg.Client();`,
  },
  {
    file: 'tools/infra/src/redis.ts',
    text: `import { start } from '../../../packages/embedded/src/index.ts'; export const serve = () => start();`,
  },
  {
    file: 'deploy/standalone/src/start.ts',
    text: `import { start } from '../../../packages/embedded/src/index.ts'; start();`,
  },
];

/**
 * The rules that miss their planted violation, and the allowed imports that a rule rejects; empty when all is
 * well.
 */
export async function findBlindRules(): Promise<string[]> {
  const tree = mkdtempSync(join(ROOT, 'node_modules/.planted-'));
  try {
    for (const { file, text } of [...PLANTED, ...ALLOWED]) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), `${text}\n`);
    }
    mkdirSync(join(tree, 'node_modules'));
    for (const name of ['pg', 'kafkajs']) plantPackage(join(tree, 'node_modules', name));
    const { violations } = await cruise(tree);
    const seen = violations.map(({ from, rule }) => `${rule.name} in ${from}`);
    const wanted = PLANTED.map(({ rule, file }) => `${rule} in ${file}`);
    return [
      ...wanted.filter(line => !seen.includes(line)).map(line => `not reported: ${line}`),
      ...seen.filter(line => !wanted.includes(line)).map(line => `reported wrongly: ${line}`),
    ];
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function plantPackage(dir: string): void {
  mkdirSync(dir);
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0', main: 'index.js' }));
  writeFileSync(join(dir, 'index.js'), 'module.exports = {};');
}
