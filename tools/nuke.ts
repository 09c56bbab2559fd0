import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { acquireLock, lockOwner } from '../packages/embedded/src/lock-file.ts';
import { outsidePath } from '../packages/embedded/src/postgres-binaries.ts';
import { readPostmasterFile } from '../packages/embedded/src/postgres-process.ts';
import { commandLine, isRunning, waitUntilGone } from '../packages/embedded/src/running-process.ts';

const STOP_TIMEOUT_MS = 15_000;
/** A data folder contains at least one of these; any other folder was named by mistake. */
const MARKS = ['postgres', 'first-run.json', 'secrets.json'];

function refuse(message: string): never {
  console.error(`hookline: ${message}`);
  process.exit(1);
}

/** A Postgres that outlived a kill -9 would write into the removed folder. */
async function stopLeftPostgres(cluster: string): Promise<void> {
  const pid = readPostmasterFile({ cluster })?.pid;
  if (pid === undefined || !isRunning(pid) || !commandLine(pid)?.includes(cluster)) return;
  process.kill(pid, 'SIGQUIT');
  if (!(await waitUntilGone(pid, STOP_TIMEOUT_MS)))
    refuse(`Postgres ${pid} still runs in ${cluster}: stop it first.`);
}

/** @returns the folders of the database, which nothing uses any more */
async function takeDatabase(dataDir: string): Promise<string[]> {
  const database = realpathSync(join(dataDir, 'postgres'));
  const lock = join(database, 'lock');
  if (acquireLock(lock) === null) {
    const owner = lockOwner(lock);
    const whose = owner ? `process ${owner.pid}` : 'another container';
    refuse(`Hookline runs on ${dataDir} (${whose}): stop it first.`);
  }
  const folders = [database, outsidePath(database)];
  for (const folder of folders) await stopLeftPostgres(join(folder, 'cluster'));
  return folders;
}

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    refuse(
      'npm run nuke takes no arguments. It removes the data folder, .data or the one that DATA_DIR names.',
    );
  }
  const wanted = resolve(process.env.DATA_DIR || join(import.meta.dirname, '../.data'));
  if (!existsSync(wanted)) {
    console.log(`${wanted} does not exist: nothing to remove.`);
    return;
  }
  const dataDir = realpathSync(wanted);
  const entries = readdirSync(dataDir);
  if (entries.length > 0 && !entries.some(name => MARKS.includes(name))) {
    refuse(
      `${dataDir} is not a data folder of Hookline (it has none of ${MARKS.join(', ')}): nothing removed.`,
    );
  }
  const database = entries.includes('postgres') ? await takeDatabase(dataDir) : [];
  console.log(`Removing ${dataDir} (${entries.join(', ') || 'empty'}).`);
  for (const folder of [...database, dataDir]) rmSync(folder, { recursive: true, force: true });
  console.log('Removed. The next npm start starts over.');
}

await main().catch((error: Error) => refuse(`${error.message}.`));
