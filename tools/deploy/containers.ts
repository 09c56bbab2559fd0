/**
 * Checks `deploy/Dockerfile` with hadolint, and the compose files against the schema of the Compose
 * specification and against our own rules.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT, runCommand } from '../test/run-command.ts';
import { findPythonTool } from './linters.ts';
import {
  composeFile,
  findComposeComplaints,
  readComposeServices,
  readSelfHostingServices,
  selfHostingFile,
} from './rules/compose.ts';

const timeoutMs = 300_000;
const dockerfile = join(ROOT, 'deploy/Dockerfile');

/** @throws LintersMissing when a linter is neither installed nor installable */
export async function lintContainers(): Promise<string[]> {
  const complaints = await Promise.all([
    lintDockerfile(dockerfile),
    lintComposeFile(composeFile),
    lintComposeFile(selfHostingFile),
  ]);
  const alone = findComposeComplaints(readComposeServices());
  const together = findComposeComplaints(readSelfHostingServices()).filter(one => !alone.includes(one));
  return [
    ...complaints.flat(),
    ...alone,
    ...together.map(complaint => `with ${selfHostingFile}: ${complaint}`),
  ];
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
