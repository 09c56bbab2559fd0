/** Prometheus and promtool: those on the PATH, else of the Debian package, unpacked below `.cache` without root. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_DIR } from './maven.ts';

const timeoutMs = 180_000;

export type Prometheus = { prometheus: string; promtool: string };

/** @throws one sentence, when they are neither installed nor to be had from a Debian mirror. */
export function findPrometheus(): Prometheus {
  if (runs('promtool') && runs('prometheus')) return { prometheus: 'prometheus', promtool: 'promtool' };
  const target = join(CACHE_DIR, 'prometheus');
  const found = {
    prometheus: join(target, 'usr/bin/prometheus'),
    promtool: join(target, 'usr/bin/promtool'),
  };
  if (!runs(found.promtool)) unpackPackage(target);
  if (runs(found.promtool)) return found;
  throw new Error('Prometheus could be brought but does not run on this machine.');
}

function runs(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

function unpackPackage(target: string): void {
  mkdirSync(CACHE_DIR, { recursive: true });
  const draft = mkdtempSync(join(CACHE_DIR, 'prometheus-'));
  try {
    const download = spawnSync('apt-get', ['download', 'prometheus'], { cwd: draft, timeout: timeoutMs });
    const file = readdirSync(draft).find(name => name.endsWith('.deb'));
    if (download.status !== 0 || file === undefined) {
      throw new Error(
        'Prometheus is not on the PATH and its Debian package cannot be downloaded: install it (apt-get install prometheus).',
      );
    }
    const unpack = spawnSync('dpkg', ['-x', file, 'unpacked'], { cwd: draft, timeout: timeoutMs });
    if (unpack.status !== 0) throw new Error('The Debian package of Prometheus cannot be unpacked.');
    // Two that bring it at once: the second finds it there.
    if (!existsSync(target)) renameSync(join(draft, 'unpacked'), target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
