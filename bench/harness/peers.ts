import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { isInstalled, withLock } from '../../tools/install.mjs';

const root = resolve(import.meta.dirname, '../..');

/**
 * Installs `bench/peers/<name>` from its lockfile if needed. @returns its folder
 * @throws Error when it cannot be installed: an absent peer is not a beaten one
 */
export async function installPeer(name: string): Promise<string> {
  const dir = join(root, 'bench/peers', name);
  const say = (line: string): void => console.log(line);
  await withLock(join(root, `.cache/install-peer-${name}.lock`), say, async () => {
    if (isInstalled(dir)) return;
    say(`Installing the peer ${name} ...`);
    const options = { encoding: 'utf8', timeout: 120_000 } as const;
    const { status, stderr } = spawnSync('npm', ['ci', '--prefix', dir, '--no-audit', '--no-fund'], options);
    if (status !== 0) throw new Error(`The peer ${name} is absent: ${stderr}`);
  });
  return dir;
}
