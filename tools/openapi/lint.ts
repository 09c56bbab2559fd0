/**
 * Runs Spectral (OAS and OWASP rules) and Redocly on the OpenAPI document; their exceptions are in their
 * configs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installApart } from '../test/apart.ts';
import { ROOT, runTool } from '../test/run-command.ts';

const folder = join(ROOT, 'tools/openapi');
// For a linter that hangs: the slowest took 61 s on a machine with a load of 25.
const timeoutMs = 300_000;
const exceptionsMax = 3;

/** The linters could not be installed: no verdict on the document. */
export class LintersMissing extends Error {
  override name = 'LintersMissing';
}

/**
 * The same for a program of the machine that no registry provides (a compiler): the step is skipped
 * everywhere.
 */
export class ProgramAbsent extends LintersMissing {
  override name = 'ProgramAbsent';
}

/**
 * The linters' complaints, including warnings; empty when the document is clean.
 * @throws LintersMissing with one sentence, when they are not installed and the registry cannot be reached
 */
export async function lintOpenApi(): Promise<string[]> {
  await installLinters();
  const document = await writeDocument();
  const [spectral, redocly] = await Promise.all([
    runTool(
      join(folder, 'node_modules/@stoplight/spectral-cli/dist/index.js'),
      ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'warn', '--quiet', document],
      { cwd: folder, timeoutMs },
    ),
    runTool(
      join(folder, 'node_modules/@redocly/cli/bin/cli.js'),
      ['lint', '--config', 'redocly.yaml', '--format', 'stylish', document],
      { cwd: folder, timeoutMs, env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    ),
  ]);
  const failed = [spectral, redocly].filter(({ code }) => code !== 0);
  return [...failed.map(({ output }) => output.trim()), ...findExtraExceptions()];
}

async function installLinters(): Promise<void> {
  try {
    // Without install scripts: one of their dependencies reports installations to its vendor.
    await installApart(folder, 'openapi', 'the OpenAPI linters');
  } catch (error) {
    throw new LintersMissing((error as Error).message);
  }
}

async function writeDocument(): Promise<string> {
  // Imported here: others need only the errors of this module.
  const { buildOpenApi } = await import('@hookline/gateway/documents');
  mkdirSync(join(ROOT, '.cache/openapi'), { recursive: true });
  const file = join(ROOT, '.cache/openapi/openapi.json');
  writeFileSync(file, JSON.stringify(buildOpenApi('https://hookline.internal'), null, 1));
  return file;
}

/** Exceptions are numbered comments, so that each has its reason. */
function findExtraExceptions(): string[] {
  const text = readFileSync(join(folder, 'spectral.yaml'), 'utf8');
  const numbered = text.match(/^\s*# \d+\. /gm)?.length ?? 0;
  const switchedOff = text.match(/^ {2}owasp\S+: off|^ {2}- files:/gm)?.length ?? 0;
  if (switchedOff <= exceptionsMax && numbered === switchedOff) return [];
  return [
    `spectral.yaml has ${switchedOff} exceptions with ${numbered} reasons; at most ${exceptionsMax}, each with one`,
  ];
}
