/** `npm run prove -- <scenario> [flags]`. Without a scenario it lists them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from './kit/run/flags.ts';
import { runScenario } from './kit/run/run-scenario.ts';
import { describeScenario, readCommand, type Scenario } from './kit/run/scenario.ts';

const folder = join(import.meta.dirname, 'scenarios');

/** Names and files of the scenarios, in alphabetical order. */
function findScenarios(): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { withFileTypes: true }).map(entry =>
    entry.isDirectory()
      ? ([entry.name, join(folder, entry.name, 'scenario.ts')] as const)
      : ([entry.name.replace(/\.ts$/, ''), join(folder, entry.name)] as const),
  );
  return new Map(found.filter(([, file]) => existsSync(file)).toSorted());
}

async function load(file: string): Promise<Scenario> {
  return ((await import(pathToFileURL(file).href)) as { scenario: Scenario }).scenario;
}

async function list(scenarios: ReadonlyMap<string, string>): Promise<string> {
  const lines = [];
  for (const [name, file] of scenarios) lines.push(describeScenario(name, await load(file)));
  return [
    'npm run prove -- <scenario> [flags]; every scenario takes --record, which keeps the result under docs/proofs',
    ...lines,
  ].join('\n');
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  const scenarios = findScenarios();
  if (name === undefined) {
    console.log(await list(scenarios));
    process.exit(0);
  }
  const file = scenarios.get(name);
  if (file === undefined) throw new UsageError(`There is no scenario "${name}".\n${await list(scenarios)}`);
  const scenario = await load(file);
  await runScenario(name, scenario, readCommand(scenario, args), args);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(2);
});
