/** `deploy/Dockerfile` by hadolint, `docker-compose.yml` by the schema of the Compose specification. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runCommand } from '../test/run-command.ts';
import { findPythonTool } from './linters.ts';

const timeoutMs = 60_000;
const dockerfile = join(ROOT, 'deploy/Dockerfile');
const composeFile = join(ROOT, 'docker-compose.yml');

/** @throws LintersMissing when a linter is not installed and cannot be. */
export async function lintContainers(): Promise<string[]> {
  const complaints = await Promise.all([lintDockerfile(dockerfile), lintComposeFile(composeFile)]);
  return complaints.flat();
}

async function lintDockerfile(file: string): Promise<string[]> {
  // Whatever it has a word for, down to style.
  const args = ['--no-color', '--failure-threshold', 'style', file];
  const { code, output } = await runCommand(await findPythonTool('hadolint'), args, { timeoutMs });
  return code === 0 ? [] : output.trim().split('\n');
}

async function lintComposeFile(file: string): Promise<string[]> {
  const args = ['--builtin-schema', 'vendor.compose-spec', file];
  const { code, output } = await runCommand(await findPythonTool('check-jsonschema'), args, { timeoutMs });
  return code === 0 ? [] : [output.trim()];
}

/** Defects that each linter must see, planted into copies of the real files; those that it does not. */
export async function findBlindContainerLinters(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-plant-'));
  const plant = (file: string, change: (text: string) => string): string => {
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`the defect for ${file} is not planted: what it replaces is gone`);
    const copy = join(folder, 'planted.yml');
    writeFileSync(copy, changed);
    return copy;
  };
  const expect = async (what: string, wanted: RegExp, complaints: Promise<string[]>): Promise<string[]> =>
    wanted.test((await complaints).join('\n')) ? [] : [`${what} is not reported`];
  try {
    return [
      ...(await expect(
        'a Dockerfile that ends as root',
        /DL3002/,
        lintDockerfile(plant(dockerfile, text => text.replace(/^USER .*$/m, 'USER root'))),
      )),
      ...(await expect(
        'a command that a shell swallows signals for',
        /DL3025/,
        lintDockerfile(
          plant(dockerfile, text => text.replace(/^CMD .*$/m, 'CMD node deploy/workspace-of.mjs')),
        ),
      )),
      ...(await expect(
        'a mistyped key of the compose file',
        /read_onyl/,
        lintComposeFile(plant(composeFile, text => text.replace('read_only:', 'read_onyl:'))),
      )),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
