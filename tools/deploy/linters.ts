/**
 * The deployment linters, each installed on demand: Python's in a separate folder, kustomize from the
 * machine.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../install.mjs';
import { LintersMissing, ProgramAbsent } from '../openapi/lint.ts';
import { preparePython } from '../python-venv.ts';
import { ROOT, runCommand } from '../test/run-command.ts';

/** Some minutes of compiling on a busy machine. */
const installTimeoutMs = 600_000;
/** Programs that are compiled from the Go module proxy where the machine has none. */
const goPrograms = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
};
const goFolder = join(ROOT, '.cache/go-programs');
const say = (line: string): void => console.log(`  ${line}`);

let installed: Promise<string> | undefined;

/**
 * Path of a program of `requirements.txt`.
 * @throws LintersMissing with one sentence: no Python, or PyPI cannot be reached
 */
export async function findPythonTool(name: string): Promise<string> {
  installed ??= preparePython({
    name: 'deploy-python',
    requirements: join(import.meta.dirname, 'requirements.txt'),
    what: 'the linters of deploy/',
  });
  return join(await installed, 'bin', name);
}

/**
 * The command that renders a kustomization to standard output: kubectl or kustomize of this machine, else
 * kustomize compiled from the Go module proxy.
 * @throws LintersMissing with one sentence, when there is neither of them and no Go either
 */
export async function findKustomize(): Promise<string[]> {
  const found = await findInstalledKustomize();
  if (found) return found;
  return [await compile('kustomize'), 'build'];
}

/** @throws LintersMissing with one sentence, when there is neither helm nor Go */
export async function findHelm(): Promise<string> {
  const { code } = await runCommand('helm', ['version'], { timeoutMs: 30_000 });
  return code === 0 ? 'helm' : compile('helm');
}

async function compile(name: keyof typeof goPrograms): Promise<string> {
  const [built, source] = [join(goFolder, name), goPrograms[name]];
  await withLock(join(ROOT, `.cache/install-${name}.lock`), say, async () => {
    if (existsSync(built)) return;
    say(`Compiling ${source} ...`);
    const what = `${name} or Go (1.24 or newer, and its module proxy) is needed`;
    await must('go', ['install', source], what, { GOBIN: goFolder, CGO_ENABLED: '0' });
  });
  return built;
}

/** The same without compiling anything; undefined when there is none. */
export async function findInstalledKustomize(): Promise<string[] | undefined> {
  const built = join(goFolder, 'kustomize');
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
