/** Programs of Debian packages, unpacked below `.cache` without root. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_DIR } from './maven.ts';

const timeoutMs = 180_000;

/**
 * Downloads the packages and unpacks them into one cached folder, once.
 * @returns the folder
 * @throws a one-sentence error when a package cannot be downloaded or unpacked
 */
export function unpackDebianPackages(what: string, packages: readonly string[]): string {
  const target = join(CACHE_DIR, what.toLowerCase());
  if (existsSync(target)) return target;
  mkdirSync(CACHE_DIR, { recursive: true });
  const draft = mkdtempSync(`${target}-`);
  try {
    const download = spawnSync('apt-get', ['download', ...packages], { cwd: draft, timeout: timeoutMs });
    const files = readdirSync(draft).filter(name => name.endsWith('.deb'));
    if (download.status !== 0 || files.length < packages.length) {
      throw new Error(
        `${what} is not on the PATH and its Debian package cannot be downloaded: install it (apt-get install ${packages[0]}).`,
      );
    }
    for (const file of files) {
      const unpack = spawnSync('dpkg', ['-x', file, 'unpacked'], { cwd: draft, timeout: timeoutMs });
      if (unpack.status !== 0) throw new Error(`The Debian package ${file} cannot be unpacked.`);
    }
    // When two processes unpack it at once, the second uses the folder of the first.
    if (!existsSync(target)) renameSync(join(draft, 'unpacked'), target);
    return target;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
