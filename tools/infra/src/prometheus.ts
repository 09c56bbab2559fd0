/** Prometheus and promtool: those on the PATH, else from the Debian package. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unpackDebianPackages } from './debian-package.ts';

export type Prometheus = { prometheus: string; promtool: string };

/** @throws a one-sentence error when they are neither installed nor available from a Debian mirror */
export function findPrometheus(): Prometheus {
  if (runs('promtool') && runs('prometheus')) return { prometheus: 'prometheus', promtool: 'promtool' };
  const unpacked = unpackDebianPackages('Prometheus', ['prometheus']);
  const found = {
    prometheus: join(unpacked, 'usr/bin/prometheus'),
    promtool: join(unpacked, 'usr/bin/promtool'),
  };
  if (runs(found.promtool)) return found;
  throw new Error('Prometheus was downloaded but does not run on this machine.');
}

function runs(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
