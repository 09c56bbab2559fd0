/**
 * The deployment linters, each installed on demand: Python's in a separate folder, kustomize from the
 * machine.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../install.mjs';
import { LintersMissing, ProgramAbsent } from '../openapi/lint.ts';
import { ROOT, runCommand } from '../test/run-command.ts';

/** Some minutes of compiling on a busy machine. */
const installTimeoutMs = 600_000;
const python = join(ROOT, '.cache/deploy-python');
const kustomizeVersion = 'v5.8.1';
const kustomizeFolder = join(ROOT, '.cache/kustomize');
const say = (line: string): void => console.log(`  ${line}`);

let installed: Promise<void> | undefined;

/**
 * Path of a program of `requirements.txt`.
 * @throws LintersMissing with one sentence: no Python, or PyPI cannot be reached
 */
export async function findPythonTool(name: string): Promise<string> {
  installed ??= installPythonTools();
  await installed;
  return join(python, 'bin', name);
}

async function installPythonTools(): Promise<void> {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const stamp = join(python, `.installed-${digestOf(requirements)}`);
  await withLock(join(ROOT, '.cache/install-deploy-python.lock'), say, async () => {
    if (existsSync(stamp)) return;
    say('Installing the linters of deploy/ ...');
    rmSync(python, { recursive: true, force: true });
    await must('python3', ['-m', 'venv', python], 'Python 3.10 or newer with venv is needed');
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-deps',
      '-r',
      requirements,
    ];
    await must(join(python, 'bin/python'), pip, 'the linters of deploy/ cannot be installed from PyPI');
    writeFileSync(stamp, '');
  });
}

/**
 * The command that renders a kustomization to standard output: kubectl or kustomize of this machine, else
 * kustomize compiled from the Go module proxy.
 * @throws LintersMissing with one sentence, when there is neither of them and no Go either
 */
export async function findKustomize(): Promise<string[]> {
  const found = await findInstalledKustomize();
  if (found) return found;
  const built = join(kustomizeFolder, kustomizeVersion, 'kustomize');
  await withLock(join(ROOT, '.cache/install-kustomize.lock'), say, async () => {
    if (existsSync(built)) return;
    say(`Compiling kustomize ${kustomizeVersion} ...`);
    await must(
      'go',
      ['install', `sigs.k8s.io/kustomize/kustomize/v5@${kustomizeVersion}`],
      'kubectl, kustomize or Go (1.24 or newer, and its module proxy) is needed',
      { GOBIN: join(kustomizeFolder, kustomizeVersion), CGO_ENABLED: '0' },
    );
  });
  return [built, 'build'];
}

/** The same without compiling anything; undefined when there is none. */
export async function findInstalledKustomize(): Promise<string[] | undefined> {
  const built = join(kustomizeFolder, kustomizeVersion, 'kustomize');
  for (const [command, ...args] of [
    ['kubectl', 'kustomize'],
    ['kustomize', 'build'],
    [built, 'build'],
  ]) {
    const { code } = await runCommand(command as string, [...args, '--help'], { timeoutMs: 30_000 });
    if (code === 0) return [command as string, ...args];
  }
  return undefined;
}

/** A Go module whose files are read, by version and by the digest that its download must have. */
export type GoModule = { path: string; version: string; sum: string };

/**
 * The module's folder in Go's cache, downloaded if needed.
 * @throws LintersMissing with one sentence: no Go, or the module proxy cannot be reached. Error: the digest
 * differs
 */
export async function findGoModule({ path, version, sum }: GoModule): Promise<string> {
  const output = await must(
    'go',
    ['mod', 'download', '-json', `${path}@${version}`],
    `${path} is read from the Go module proxy`,
    // Compared with `sum` here, so no second registry is needed.
    { GOFLAGS: '-mod=mod', GONOSUMDB: path, GOWORK: 'off' },
  );
  const downloaded = JSON.parse(output.slice(output.indexOf('{'))) as { Dir: string; Sum: string };
  if (downloaded.Sum !== sum)
    throw new Error(`${path} ${version} has the digest ${downloaded.Sum}, not ${sum}`);
  return downloaded.Dir;
}

async function must(
  command: string,
  args: readonly string[],
  what: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await runCommand(command, args, { timeoutMs: installTimeoutMs, env });
  if (code === 127) throw new ProgramAbsent(`${what}: ${output}`);
  if (code !== 0) throw new LintersMissing(`${what}: ${output.trim().slice(-300)}`);
  return output;
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}
