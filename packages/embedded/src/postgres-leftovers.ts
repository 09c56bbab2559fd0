/** Cleans up after a killed server: a postmaster that is never reaped, and backends that outlive it. */
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ClusterPaths } from './postgres-cluster.ts';
import { readPostmasterFile } from './postgres-process.ts';
import { isRunning, isZombie } from './running-process.ts';

/** An idle backend exits within milliseconds of its postmaster. */
const LEAVE_MS = 2_000;
const GONE_TIMEOUT_MS = 15_000;

/**
 * Prepares the start of a new server where no postmaster runs. Ends the dead server's backends: Postgres
 * refuses to start while one of them holds its shared memory. Then removes the `postmaster.pid` of a zombie,
 * which Postgres considers alive.
 *
 * @throws a one-sentence error when a backend is still running after 15 s
 */
export async function clearDeadServer(paths: ClusterPaths, log: (line: string) => void): Promise<void> {
  await endBackends(paths, log);
  const left = readPostmasterFile(paths);
  // A pid that no longer exists is left to Postgres, which makes the same checks and more.
  if (left !== null && isZombie(left.pid)) rmSync(join(paths.cluster, 'postmaster.pid'), { force: true });
}

async function endBackends(paths: ClusterPaths, log: (line: string) => void): Promise<void> {
  const began = Date.now();
  let isKilled = false;
  for (;;) {
    const backends = listBackends(paths.cluster);
    if (backends.length === 0) return;
    const elapsedMs = Date.now() - began;
    if (elapsedMs > GONE_TIMEOUT_MS) {
      throw new Error(
        `Process ${backends[0]} of an earlier Postgres still uses ${paths.cluster} and cannot be ended: end it, then start again.`,
      );
    }
    if (elapsedMs > LEAVE_MS && !isKilled) {
      isKilled = true;
      log(`Backends ${backends.join(', ')} outlived their Postgres: killing them.`);
      // Without a postmaster the next start recovers from the log in any case.
      for (const pid of backends) kill(pid);
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It exited in the meantime.
  }
}

/**
 * The running processes of the program `postgres` whose working directory is the cluster; none without
 * `/proc`.
 */
function listBackends(cluster: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        // Neither link of a zombie can be read.
        const isOurs = readlinkSync(`/proc/${pid}/cwd`) === cluster;
        return isOurs && basename(readlinkSync(`/proc/${pid}/exe`)) === 'postgres' && isRunning(pid);
      } catch {
        return false;
      }
    });
}
