/** Python's client of the Model Context Protocol, in a folder of its own. */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../product/processes.ts';

const run = promisify(execFile);
const version = '2.3.0';
const folder = join(repositoryRoot, '.cache/mcp-python');

/** Needs Python 3.11 or newer with venv, and PyPI the first time. */
export async function installPythonMcp(): Promise<void> {
  const stamp = join(folder, `.installed-${version}`);
  if (existsSync(stamp)) return;
  console.log(`  installing mcp ${version} for Python into .cache/mcp-python ...`);
  await run('python3', ['-m', 'venv', folder], { timeout: 120_000 });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `mcp==${version}`];
  await run(pythonOf(), pip, { timeout: 300_000 });
  writeFileSync(stamp, '');
}

export function pythonOf(): string {
  return join(folder, 'bin/python');
}
