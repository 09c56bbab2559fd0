/**
 * Clients that generators of others make from the OpenAPI document: no warning, strict types, and no answer
 * that breaks them once fields are added to it.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes } from '@hookline/shared/contracts/all-routes';
import { openApiDocument } from '../../../../tools/openapi/document.ts';
import { preparePython } from '../../../../tools/python-venv.ts';
import { installApart } from '../../../../tools/test/apart.ts';
import { ROOT, runCommand } from '../../../../tools/test/run-command.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import * as programs from './programs.ts';

const timeoutMs = 300_000;

/** The example of each operation's answer, with one more field in every object. */
function grownAnswers(): Record<string, { status: number; body: unknown; method: string; path: string }> {
  return Object.fromEntries(
    allRoutes.flatMap(({ id, method, path, status, example }) =>
      example.response === undefined ? [] : [[id, { status, method, path, body: grow(example.response) }]],
    ),
  );
}

function grow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grow);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, grow(field)]);
  return { ...Object.fromEntries(fields), addedLater: { by: 'a later version' } };
}

async function prove(folder: string): Promise<Outcome> {
  await installApart(import.meta.dirname, 'generators', 'the generators of others');
  const python = await preparePython({
    name: 'generators-python',
    requirements: join(import.meta.dirname, 'requirements.txt'),
    what: 'the generator of Python clients',
  });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument()));
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(grownAnswers()));
  for (const [name, text] of Object.entries(programs.files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'sdk/node_modules/@hookline'), { recursive: true });
  symlinkSync(join(ROOT, 'packages/sdk'), join(folder, 'sdk/node_modules/@hookline/sdk'));
  writeFileSync(join(folder, 'sdk/use.ts'), programs.ownClient);

  const complaints: string[] = [];
  const figures: Record<string, number> = {};
  const env = { PATH: `${join(python, 'bin')}:${process.env.PATH}` };
  const step = async (name: string, command: string, args: string[], isQuiet = false): Promise<void> => {
    const { code, output } = await runCommand(command, args, { cwd: folder, timeoutMs, env });
    const warns = isQuiet ? output.trim() !== '' : /\bwarn|deprecat/i.test(output);
    console.log(`  ${code === 0 && !warns ? 'ok ' : 'RED'} ${name}`);
    if (code !== 0 || warns) complaints.push(`${name}: ${output.trim().slice(-2_000)}`);
    const count = /answers read: (\d+)/.exec(output)?.[1];
    if (count !== undefined) figures[name] = Number(count);
  };
  const bin = (name: string): string => join(folder, 'node_modules', name);
  const node = process.execPath;
  const hey = bin('@hey-api/openapi-ts/bin/run.js');
  await step('hey-api makes a client', node, [hey, '-f', 'hey.config.mjs', '--no-log-file']);
  const types = ['openapi.json', '-o', 'types.d.ts'];
  await step('openapi-typescript makes types', node, [bin('openapi-typescript/bin/cli.js'), ...types]);
  const generate = ['generate', '--path', 'openapi.json', '--output-path', 'client', '--meta', 'none'];
  const generator = join(python, 'bin/openapi-python-client');
  await step('openapi-python-client makes a client', generator, [...generate, '--fail-on-warning']);
  await step('TypeScript 5.9 compiles them', node, [bin('typescript/bin/tsc'), '-p', '.'], true);
  const mypy = ['--strict', '--no-error-summary', '--config-file', 'mypy.ini', 'client'];
  await step('mypy accepts the Python client', join(python, 'bin/mypy'), mypy, true);
  await step('hey-api', node, ['read-hey.mjs']);
  await step('openapi-fetch', node, ['read-fetch.mjs']);
  await step('openapi-python-client', join(python, 'bin/python'), ['read.py']);
  for (const complaint of complaints) console.log(complaint);
  const expected = Object.keys(grownAnswers()).length;
  const isWhole = Object.values(figures).length === 3 && Object.values(figures).every(n => n === expected);
  return {
    isProven: complaints.length === 0 && isWhole,
    figures: { answers: expected, ...figures, wrong: complaints.length },
  };
}

export const scenario = defineScenario({
  about: "other people's generators make strict clients from the document, which outlive an added field",
  takes: 'about a minute, and another one to install the generators',
  run: ({ folder }) => prove(folder),
});
