import { spawnSync } from 'node:child_process';

/**
 * Requires a Debian program on the PATH; as root on Debian it installs a missing one and reports that.
 * @throws Error naming the package: a bench without its tool fails instead of skipping it
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
