/**
 * A backup of a data folder is a copy of it. The platforms go on after it was taken, so a copy says when that
 * was, and `npm start` refuses it until `close-after` has ended what may have been posted since.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '@hookline/shared/kernel';
import { acquireLock } from './lock-file.ts';
import { startEmbeddedPostgres } from './postgres.ts';

const markOf = (dataDir: string): string => join(dataDir, 'backup.json');

/**
 * Call it while nothing runs on the folder. @returns the instant of the data.
 * @throws ConfigurationError when the target exists, or the database is elsewhere or in use
 */
export async function copyDataFolder(dataDir: string, target: string): Promise<string> {
  if (existsSync(target)) throw new ConfigurationError(`${target} exists: name a new folder for the backup.`);
  const database = join(dataDir, 'postgres');
  // A server that a killed process left running ends here, and the files are those after a clean stop.
  await (await startEmbeddedPostgres({ dataDir: database })).stop();
  if (!existsSync(join(database, 'cluster')))
    throw new ConfigurationError(`The database is not in ${dataDir}: run Hookline as an ordinary user.`);
  const release = acquireLock(join(database, 'lock'));
  if (release === null)
    throw new ConfigurationError(`The product on ${dataDir} was started meanwhile: stop it first.`);
  const draft = `${target}.draft`;
  try {
    const takenAt = new Date().toISOString();
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(markOf(draft), JSON.stringify({ takenAt }));
    await cp(dataDir, draft, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: path => path !== join(database, 'lock') && path !== join(dataDir, 'run.json'),
    });
    await rename(draft, target);
    return takenAt;
  } finally {
    // What is left of a copy that failed may have filled the disk.
    await rm(draft, { recursive: true, force: true });
    release();
  }
}

/** @returns the instant of the data, in ISO 8601; null where the folder is no unsettled backup */
export async function readBackupInstant(dataDir: string): Promise<string | null> {
  const text = await readFile(markOf(dataDir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as { takenAt: string }).takenAt;
}

/** Null where the folder may be started, else why not. */
export async function whyUnsettled(dataDir: string): Promise<string | null> {
  const instant = await readBackupInstant(dataDir);
  return (
    instant &&
    `${dataDir} is a backup of ${instant}: first end what may have been posted since, DATA_DIR='${dataDir}' npm run ops -- close-after.`
  );
}

export async function forgetBackup(dataDir: string): Promise<void> {
  await rm(markOf(dataDir), { force: true });
}
