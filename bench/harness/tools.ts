import { spawnSync } from 'node:child_process';

/**
 * Makes sure that a program of Debian is on the PATH; as root on Debian a missing one is installed, which is said.
 * @throws Error naming the package: a bench without its tool fails, it does not shrink.
 */
export function requireTool(program: string, debianPackage: string): void {
  if (isThere(program)) return;
  const isRootOnDebian = process.getuid?.() === 0 && isThere('apt-get');
  if (isRootOnDebian) {
    console.log(`${program} is missing: installing the Debian package ${debianPackage}.`);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 120_000,
    });
  }
  if (!isThere(program)) {
    throw new Error(`${program} is missing: install it (Debian: apt-get install ${debianPackage}).`);
  }
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}
