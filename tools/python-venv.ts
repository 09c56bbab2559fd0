/** Virtual environments of Python, each in a folder of its own under `.cache`, installed on demand. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './install.mjs';
import { LintersMissing, ProgramAbsent } from './openapi/lint.ts';
import { ROOT, runCommand } from './test/run-command.ts';

/** Some minutes of compiling on a busy machine. */
const installTimeoutMs = 600_000;

/** @property what completes the sentence `Installing ... ...` */
export type PythonVenv = { name: string; requirements: string; what: string };

/**
 * The folder of an environment with every package of `requirements`, which names each by version.
 * @throws LintersMissing with one sentence: no Python (ProgramAbsent), or PyPI cannot be reached
 */
export async function preparePython({ name, requirements, what }: PythonVenv): Promise<string> {
  const folder = join(ROOT, '.cache', name);
  const stamp = join(folder, `.installed-${digestOf(requirements)}`);
  const say = (line: string): void => console.log(`  ${line}`);
  await withLock(join(ROOT, `.cache/install-${name}.lock`), say, async () => {
    if (existsSync(stamp)) return;
    say(`Installing ${what} ...`);
    rmSync(folder, { recursive: true, force: true });
    await must('python3', ['-m', 'venv', folder], 'Python 3.11 or newer with venv is needed');
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    const python = join(folder, 'bin/python');
    await must(python, [...pip, '-r', requirements], `${what} cannot be installed from PyPI`);
    writeFileSync(stamp, '');
  });
  return folder;
}

async function must(command: string, args: readonly string[], complaint: string): Promise<void> {
  const { code, output } = await runCommand(command, args, { timeoutMs: installTimeoutMs });
  if (code === 127) throw new ProgramAbsent(`${complaint}: ${output}`);
  if (code !== 0) throw new LintersMissing(`${complaint}: ${output.trim().slice(-300)}`);
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}
