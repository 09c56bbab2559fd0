/** Checks `deploy/Dockerfile` with hadolint, and the compose files against the Compose specification. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT, runCommand } from '../test/run-command.ts';
import { findPythonTool } from './linters.ts';

const timeoutMs = 300_000;

/** @throws LintersMissing when a linter is neither installed nor installable */
export async function lintContainers(): Promise<string[]> {
  const complaints = await Promise.all([
    lintDockerfile(join(ROOT, 'deploy/Dockerfile')),
    lintComposeFile('docker-compose.yml'),
    lintComposeFile('deploy/compose/self-hosting.yml'),
  ]);
  return complaints.flat();
}

async function lintDockerfile(file: string): Promise<string[]> {
  // Every finding, down to style.
  const args = ['--no-color', '--failure-threshold', 'style', file];
  const { code, output } = await runCommand(await findPythonTool('hadolint'), args, { timeoutMs });
  return code === 0 ? [] : output.trim().split('\n');
}

async function lintComposeFile(file: string): Promise<string[]> {
  // Its reader of YAML knows no tag of Compose.
  const folder = mkdtempSync(join(tmpdir(), 'hookline-compose-'));
  try {
    const copy = join(folder, basename(file));
    writeFileSync(copy, readFileSync(join(ROOT, file), 'utf8').replace(/ !override\b/g, ''));
    const args = ['--builtin-schema', 'vendor.compose-spec', copy];
    const { code, output } = await runCommand(await findPythonTool('check-jsonschema'), args, { timeoutMs });
    return code === 0 ? [] : [output.trim().replaceAll(copy, file)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
