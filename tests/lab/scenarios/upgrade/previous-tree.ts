/** Checks out the previous version's commit as a separate tree that shares this one's dependencies. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../../tools/test/run-command.ts';
import { repositoryRoot } from '../../kit/product/processes.ts';

const timeoutMs = 60_000;

/** The commit of the version that installations run; changed when a version is released. */
export function previousVersion(): string {
  return readFileSync(join(import.meta.dirname, 'previous-version'), 'utf8').trim();
}

/**
 * Extracts the tree of a commit into a folder. Its packages find each other there, and third-party ones in
 * this tree: the comparison is of our code, on today's dependencies.
 * @param folder inside of this repository, so that Node finds those
 * @returns false when the history does not reach back to the commit (a shallow clone)
 */
export async function layOut(commit: string, folder: string): Promise<boolean> {
  const known = await git('cat-file', '-e', `${commit}^{commit}`);
  if (known.code !== 0) return false;
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'tree.tar');
  const archived = await git('archive', '--output', archive, commit);
  if (archived.code !== 0) throw new Error(`git cannot archive ${commit}: ${archived.output}`);
  const unpacked = await runCommand('tar', ['-xf', archive, '-C', folder], { timeoutMs });
  if (unpacked.code !== 0) throw new Error(`the tree cannot be unpacked: ${unpacked.output}`);
  const scope = 'node_modules/@hookline';
  mkdirSync(join(folder, scope), { recursive: true });
  for (const name of readdirSync(join(repositoryRoot, scope))) {
    symlinkSync(readlinkSync(join(repositoryRoot, scope, name)), join(folder, scope, name));
  }
  return true;
}

function git(...args: string[]) {
  return runCommand('git', ['-C', repositoryRoot, ...args], { timeoutMs });
}

/** The files of a kind that this tree's migrations have and the other's lack, as `<service>/<file>`. */
export function addedMigrations(previousFolder: string, kind: 'additive' | 'contract'): string[] {
  const sets = ['gateway', 'content', 'scheduling', 'automation', 'analytics'].flatMap(name => [
    // As in `migrationSets`: the gateway publishes nothing.
    ...(name === 'gateway' ? [] : [{ name, path: 'packages/shared/migrations/messaging' }]),
    { name, path: `services/${name}/migrations` },
  ]);
  return sets.flatMap(({ name, path }) => {
    const before = readdirSync(join(previousFolder, path));
    return readdirSync(join(repositoryRoot, path))
      .filter(file => !before.includes(file))
      .filter(file => readFileSync(join(repositoryRoot, path, file), 'utf8').startsWith(`-- ${kind}`))
      .map(file => `${name}/${file}`)
      .sort();
  });
}
