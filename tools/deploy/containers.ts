/**
 * Checks `deploy/Dockerfile` with hadolint, and `docker-compose.yml` against the schema of the Compose
 * specification and against our own rules.
 */
import { join } from 'node:path';
import { ROOT, runCommand } from '../test/run-command.ts';
import { findPythonTool } from './linters.ts';
import { findComposeComplaints, readComposeServices } from './rules/compose.ts';

const timeoutMs = 60_000;
const dockerfile = join(ROOT, 'deploy/Dockerfile');
const composeFile = join(ROOT, 'docker-compose.yml');

/** @throws LintersMissing when a linter is neither installed nor installable */
export async function lintContainers(): Promise<string[]> {
  const complaints = await Promise.all([lintDockerfile(dockerfile), lintComposeFile(composeFile)]);
  return [...complaints.flat(), ...findComposeComplaints(readComposeServices())];
}

async function lintDockerfile(file: string): Promise<string[]> {
  // Every finding, down to style.
  const args = ['--no-color', '--failure-threshold', 'style', file];
  const { code, output } = await runCommand(await findPythonTool('hadolint'), args, { timeoutMs });
  return code === 0 ? [] : output.trim().split('\n');
}

async function lintComposeFile(file: string): Promise<string[]> {
  const args = ['--builtin-schema', 'vendor.compose-spec', file];
  const { code, output } = await runCommand(await findPythonTool('check-jsonschema'), args, { timeoutMs });
  return code === 0 ? [] : [output.trim()];
}
